import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bridges } from "../../plugins/openclaw/bridges.ts";
import { TurnEngine } from "../../plugins/openclaw/context-engine.ts";
import { OpenclawAgents, watchTranscripts } from "../../src/hooks/index.ts";
import { type Engine, open } from "../../src/index.ts";
import { SILENT } from "../../src/log.ts";
import { OpenclawAgent } from "../openclaw-database.ts";
import { temporaryFolder } from "../temporary-store.ts";

const LCM = new URL("../../bin/lcm.mjs", import.meta.url).pathname;
const KEY = "agent:main:s1";

describe("lcm watch, of OpenClaw", () => {
  let folder: string;
  let state: string;
  let store: string;
  let agent: OpenclawAgent;
  let config: { readonly dataDir: string; readonly logLevel: "silent" };
  beforeEach(() => {
    folder = temporaryFolder();
    state = path.join(folder, ".openclaw");
    store = path.join(folder, "data");
    config = { dataDir: store, logLevel: "silent" };
    agent = new OpenclawAgent(state);
  });
  afterEach(() => {
    agent.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(...options: readonly string[]) {
    const environment = { ...process.env, HOME: folder, LCM_DATA_DIR: store, OPENCLAW_STATE_DIR: state };
    return spawn(process.execPath, [LCM, "watch", "--host", "openclaw", ...options], { env: environment });
  }

  /** As a watch that is stopped at once: everything that is there now is on record. Resolves to how often it left OpenClaw alone. */
  async function watch(): Promise<number> {
    const opened: Engine[] = [];
    let left = 0;
    const openclaw = new OpenclawAgents({
      folder: state,
      open: async (scope) => {
        opened[0] ??= await open({ config: { ...config, ...scope }, background: "off" });
        return opened[0];
      },
      log: SILENT,
      tell: () => {},
      leave: () => {
        left++;
      },
    });
    const { captures } = openclaw;
    const signal = AbortSignal.abort();
    await watchTranscripts({ folders: [], databases: [], openclaw, captures, since: 0, signal });
    await opened[0]?.close();
    return left;
  }

  /** What the plugin does before a turn. */
  async function plugin(sessionId: string, sessionKey = KEY): Promise<void> {
    const bridges = new Bridges({
      settings: config,
      sdk: agent.sdk,
      warn: () => {},
    });
    await new TurnEngine(bridges, new Map(), undefined).bootstrap({ sessionId, sessionKey });
    await bridges.close();
  }

  /** The keys of all messages, by conversation, oldest first. */
  async function onRecord(scope: { readonly agent?: string } = {}): Promise<string[][]> {
    const engine = await open({ config: { ...config, ...scope }, background: "off" });
    const { conversations } = await engine.context.conversations.list({ archived: true });
    const found: string[][] = [];
    for (const { id } of conversations.toReversed())
      found.push((await engine.context.read({ conversation: id })).messages.map(({ key }) => key));
    await engine.close();
    return found.sort();
  }

  function speak(): void {
    agent.begin("one", KEY);
    agent.startIn("one", "/home/ada/ferry");
    agent.say("one", "e1", "user", "The ferry leaves at nine.");
    agent.say("one", "e2", "assistant", "At nine, from pier four.", { isPacked: true });
    agent.say("one", "e3", "user", "This turn failed.", { isActive: false });
    agent.say("one", "e4", "user", "And back?");
  }
  function speakOn(): void {
    agent.say("one", "e5", "assistant", "At six.");
    agent.reset("one");
    agent.say("one", "e6", "user", "Something else.");
  }
  const WHOLE = [["e1", "e2", "e3", "e4", "e5"], ["e6"]];

  it("knows the folder of a session", async () => {
    speak();
    await watch();
    const engine = await open({ config, background: "off" });
    const { conversations } = await engine.context.conversations.list({ project: "/home/ada" });
    expect(conversations).toMatchObject([{ sessionId: "one", host: "openclaw", project: "/home/ada/ferry" }]);
    await engine.close();
  });

  it("imports new messages of every agent, each in its scope", async () => {
    const other = new OpenclawAgent(state, "work");
    other.begin("w", "agent:work:w");
    other.say("w", "w1", "user", "Only for work.");
    speak();
    const child = start("--json");
    const reports = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await reports.next()).value ?? "{}");
    const first = [await next(), await next()].sort((a, b) => b.imported - a.imported);
    expect(first).toMatchObject([
      { formatLabel: "OpenClaw", sessionId: "one", imported: 4 },
      { sessionId: "w", imported: 1 },
    ]);
    // It is in the log beside the database.
    agent.say("one", "e5", "assistant", "At six.");
    expect(await next()).toMatchObject({ sessionId: "one", imported: 1 });
    child.kill("SIGINT");
    await once(child, "close");
    other.close();
    expect((await onRecord()).flat().sort()).toEqual(["e1", "e2", "e3", "e4", "e5"]);
    expect(await onRecord({ agent: "work" })).toEqual([["w1"]]);
  });

  it("stores each message once when the plugin is installed later", async () => {
    speak();
    await watch();
    await plugin("one");
    speakOn();
    await plugin("one");
    expect((await onRecord()).map((keys) => keys.toSorted())).toEqual(WHOLE);
  });

  it("stores each message once when the plugin was there before", async () => {
    speak();
    await plugin("one");
    await watch();
    speakOn();
    await watch();
    expect((await onRecord()).map((keys) => keys.toSorted())).toEqual(WHOLE);
    agent.say("one", "e7", "assistant", "What?");
    await plugin("one");
    await watch();
    expect((await onRecord()).map((keys) => keys.toSorted())).toEqual([WHOLE[0], ["e6", "e7"]]);
  });

  it("imports sessions under one key after each other, and not again after a restart", async () => {
    speak();
    agent.begin("two", KEY);
    agent.say("two", "t1", "user", "A new day.");
    await watch();
    agent.say("two", "t2", "assistant", "Good morning.");
    await watch();
    expect((await onRecord()).map((keys) => keys.toSorted())).toEqual([
      ["e1", "e2", "e3", "e4"],
      ["t1", "t2"],
    ]);
  });

  it("waits while OpenClaw rebuilds the active path", async () => {
    speak();
    agent.setRebuilding("one", true);
    await watch();
    expect(await onRecord()).toEqual([]);
    agent.setRebuilding("one", false);
    await watch();
    expect((await onRecord()).flat().sort()).toEqual(["e1", "e2", "e3", "e4"]);
  });

  it("leaves OpenClaw to the plugin while that is installed, and says so", async () => {
    speak();
    const slots = { contextEngine: "palimpsest", memory: "palimpsest" };
    writeFileSync(path.join(state, "openclaw.json"), JSON.stringify({ plugins: { slots } }));
    const child = start();
    let said = "";
    for await (const piece of child.stderr) {
      said += piece;
      if (said.includes("not watched")) child.kill("SIGINT");
    }
    expect(said).toContain("OpenClaw is not watched: its plugin imports the sessions.");
    expect(await onRecord()).toEqual([]);
    const commented = `// mine\n{ plugins: { slots: { contextEngine: 'palimpsest' } } }`;
    writeFileSync(path.join(state, "openclaw.json"), commented);
    expect(await watch()).toBe(1);
    const entries = { palimpsest: { enabled: false } };
    writeFileSync(path.join(state, "openclaw.json"), JSON.stringify({ plugins: { slots, entries } }));
    expect(await watch()).toBe(0);
    expect((await onRecord()).flat()).toHaveLength(4);
  });
});
