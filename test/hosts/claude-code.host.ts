import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { type AgentModel, startAgentModel } from "./agent-model.ts";
import { type ClaudeHome, claudeHome, messageLines, TOOL } from "./claude-session.ts";
import { installed } from "./installed-package.ts";
import { withEngine } from "./run-host.ts";

const isShort = inject("isShortRun");
const LCM = installed("bin/lcm.mjs");
const FACT = "The vault code is heron-4471.";

describe("Claude Code with the plugin", () => {
  let model: AgentModel;
  let home: ClaudeHome;
  const session = randomUUID();
  beforeAll(async () => {
    model = await startAgentModel();
    home = claudeHome(model);
  });
  afterAll(async () => {
    await model?.close();
    if (home === undefined) return;
    stopDaemon();
    rmSync(home.folder, { recursive: true, force: true });
  });

  function daemon(flag: "--status" | "--stop"): { readonly pid: number } | null {
    const args = [LCM, "daemon", flag, "--json"];
    return JSON.parse(execFileSync(process.execPath, args, { env: home.environment, encoding: "utf8" }))
      .daemon;
  }

  const stopDaemon = () => daemon("--stop");

  /** Each message of the host is on record exactly once; all else on record is what hooks kept. */
  async function expectOnRecord(id: string): Promise<void> {
    // The end of a session is taken in by the daemon, for which the host does not wait.
    stopDaemon();
    const lines = messageLines(home.transcript(id));
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: id, limit: 100_000 });
      const keys = messages.map(({ key }) => key);
      expect(keys.filter((key) => lines.includes(key)).toSorted()).toEqual(lines.toSorted());
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("offers the tools in the first request, and captures turns with tools", async () => {
    await home.say(`${FACT} Keep it in mind.`, { session });
    expect(model.requests[0]?.tools).toEqual(expect.arrayContaining([`${TOOL}lcm_grep`, `${TOOL}lcm_read`]));
    expect(model.requests[0]?.tools).not.toContain(`${TOOL}hook`);
    const turns = Array.from({ length: 10 }, (_, i) =>
      i % 2 === 0 ? `CALL:Bash:{"command":"echo turn-${i}"} go` : `Turn ${i}, in words.`,
    );
    await home.talk(turns, { resume: session });
    await expectOnRecord(session);
  });

  it("shows a result of a megabyte as a stub that opens to the exact bytes", async () => {
    const script = path.join(home.folder, "long.sh");
    writeFileSync(script, "seq -w 1 150000\n");
    await home.say(`CALL:Bash:{"command":"bash ${script}"} go`, { resume: session });
    const shown = model.requests.at(-1)?.text ?? "";
    const id = /LCM Tool Output: (file_[0-9a-f]{16})/.exec(shown)?.[1] ?? "";
    expect(id).not.toBe("");
    expect(shown.length).toBeLessThan(500_000);
    const expected = Array.from({ length: 150_000 }, (_, i) => `${String(i + 1).padStart(6, "0")}\n`).join(
      "",
    );
    await withEngine(home.data, async (engine) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of engine.context.files.content(id)) pieces.push(piece);
      expect(Buffer.concat(pieces).toString()).toBe(expected);
    });
    await expectOnRecord(session);
  });

  it("gives back what two compactions took away", async () => {
    for (const round of [1, 2]) {
      await home.say("/compact", { resume: session });
      expect(model.requests.at(-1)?.text).toContain("Keep every identifier of the form");
      await home.say(`Round ${round}, after the compaction.`, { resume: session });
    }
    const request = model.requests.at(-1)?.text ?? "";
    expect(request).toContain("earlier messages of this session");
    expect(request).toMatch(/(?:msg|sum)_[0-9a-f]{16}/);
    const found = await home.say(`CALL:${TOOL}lcm_grep:{"pattern":"vault"} now`, { resume: session });
    expect(found).toContain("heron-4471");
    await expectOnRecord(session);
  });

  it("never takes its own text for something that was said", async () => {
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "<palimpsest", mode: "exact", limit: 200 });
      // Results of its own tools quote what they found.
      const others = hits.filter(({ tools }) => !tools.some((tool) => tool.startsWith(TOOL)));
      expect(others).toEqual([]);
      const { items } = await engine.context.assemble({ conversation: session, budget: 100_000 });
      expect(JSON.stringify(items)).not.toContain("<palimpsest about=");
      const { rows } = await engine.memory.list({ limit: 1_000 });
      expect(JSON.stringify(rows)).not.toContain("palimpsest");
    });
  });

  it("gives a short hint beside a prompt that touches earlier work, also in another project", async () => {
    const other = randomUUID();
    await home.say("What was the vault code about the heron?", { session: other, project: "other" });
    const request = model.requests.at(-1)?.text ?? "";
    expect(request).toContain("earlier work that may matter for this prompt");
    await home.say("Good morning.", { session: randomUUID(), project: "other" });
    expect(model.requests.at(-1)?.text).not.toContain("earlier work that may matter");
    await expectOnRecord(other);
  });

  it.skipIf(isShort)("keeps a fork, a sub-agent and the session apart", async () => {
    const fork = randomUUID();
    await home.say("This goes on in a fork.", {
      resume: session,
      args: ["--fork-session", "--session-id", fork],
    });
    await expectOnRecord(fork);
    const agent = '{"description":"look","prompt":"Say-something-about-otters","subagent_type":"Explore"}';
    const parent = randomUUID();
    await home.say(`CALL:Agent:${agent} go`, { session: parent });
    await expectOnRecord(parent);
    const [file = ""] = home.agents(parent);
    const name = /agent-(.+)\.jsonl$/.exec(file)?.[1];
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: `${parent}:${name}` });
      expect(messages.map(({ key }) => key)).toEqual(expect.arrayContaining([...messageLines(file)]));
    });
  });

  it.skipIf(isShort)(
    "keeps an agent that works beside the session, and no hint for what it reports",
    async () => {
      const parent = randomUUID();
      const agent = {
        ...{ description: "look", prompt: "Say-something-about-the-vault-heron-4471" },
        ...{ subagent_type: "Explore", run_in_background: true },
      };
      const from = model.requests.length;
      await home.talk([`CALL:Agent:${JSON.stringify(agent)} go`, "Is it done?"], { session: parent });
      await expectOnRecord(parent);
      const [file = ""] = home.agents(parent);
      const name = /agent-(.+)\.jsonl$/.exec(file)?.[1];
      await withEngine(home.data, async (engine) => {
        const { messages } = await engine.context.read({ conversation: `${parent}:${name}` });
        expect(messages.map(({ key }) => key)).toEqual(expect.arrayContaining([...messageLines(file)]));
      });
      // The prompt itself is like one of an earlier session, so it may have a hint, which stays in the later requests.
      const hintsIn = (text: string) => text.split("earlier work that may matter").length - 1;
      const requests = model.requests.slice(from).map(({ text }) => text);
      const told = requests.filter((text) => text.includes("<task-notification>"));
      expect(told.length).toBeGreaterThan(0);
      for (const text of told) expect(hintsIn(text)).toBe(hintsIn(requests[0] ?? ""));
    },
  );

  it.skipIf(isShort)("compacts by itself, and gives back what that took away", async () => {
    const long = randomUUID();
    await home.say("The orchid is called Ludmilla-17.", { session: long });
    const words = "They walked along the river and spoke about the weather. ".repeat(3_800);
    const limits = ["--autocompact", "100000"];
    await home.say(`First part. ${words}`, { resume: long, args: limits });
    await home.say(`Second part. ${words}`, { resume: long, args: limits });
    await home.say("And now?", { resume: long, args: limits });
    expect(model.requests.some(({ isSummary, text }) => isSummary && text.includes("Ludmilla"))).toBe(true);
    expect(model.requests.at(-1)?.text).toContain("earlier messages of this session");
    await expectOnRecord(long);
  });

  it.skipIf(isShort)("loses nothing when the host or the daemon is killed", async () => {
    const killed = randomUUID();
    model.mood = "hang";
    const asked = model.nextRequest();
    const child = home.start("This prompt is about a pangolin, and never gets an answer.", {
      session: killed,
    });
    await asked;
    // The host itself writes with a delay: what it has not written by then exists nowhere.
    const isWritten = () => readFileSync(home.transcript(killed), "utf8").includes("pangolin");
    for (let attempt = 0; attempt < 50 && !isWritten(); attempt++) await delay(100);
    child.kill("SIGKILL");
    await once(child, "close");
    model.mood = "answer";
    const running = daemon("--status");
    if (running !== null) process.kill(running.pid, "SIGKILL");
    await home.say("The next session goes on.", { session: randomUUID() });
    stopDaemon();
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "pangolin", roles: ["user"] });
      expect(hits).toHaveLength(1);
    });
  });

  it.skipIf(isShort)("serves two sessions at once in two projects", async () => {
    const [left, right] = [randomUUID(), randomUUID()];
    const turns = (name: string) =>
      Array.from({ length: 3 }, (_, i) => `CALL:Bash:{"command":"echo ${name}-${i}"} go`);
    await Promise.all([
      home.talk(turns("left"), { session: left, project: "left" }),
      home.talk(turns("right"), { session: right, project: "right" }),
    ]);
    await expectOnRecord(left);
    await expectOnRecord(right);
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: left, limit: 1_000 });
      expect(JSON.stringify(messages.map(({ value }) => value))).not.toContain("right-1");
    });
  });

  it("is there after lcm setup, and gone after its undoing", async () => {
    const settings = path.join(home.folder, ".claude/settings.json");
    const before = '{"model":"opus",\n "env":{}}';
    mkdirSync(path.dirname(settings), { recursive: true });
    writeFileSync(settings, before);
    const setup = (...args: string[]) =>
      execFileSync(process.execPath, [LCM, "setup", "claude-code", "--yes", ...args], {
        env: home.environment,
      });
    setup();
    // The first Node that Claude Code finds is too old for anything.
    const { PATH } = home.environment;
    const old = path.join(home.project("old-node"), "node");
    writeFileSync(old, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    home.environment.PATH = `${path.dirname(old)}${path.delimiter}${PATH}`;
    for (const prompt of ["Set up.", "Set up, and started again."]) {
      const one = randomUUID();
      await home.say(prompt, { session: one, plugin: null });
      expect(model.requests.at(-1)?.tools).toContain(`${TOOL}lcm_grep`);
      await expectOnRecord(one);
    }
    home.environment.PATH = PATH;
    setup("--undo");
    expect(readFileSync(settings, "utf8")).toBe(before);
    await home.say("Without it.", { session: randomUUID(), plugin: null });
    expect(model.requests.at(-1)?.tools).not.toContain(`${TOOL}lcm_grep`);
  });

  it("has no hook that failed or took too long", () => {
    const log = readFileSync(home.log, "utf8");
    expect(log).toContain("mcp_tool calling plugin:palimpsest:lcm/hook");
    expect(log).not.toMatch(/palimpsest[^\n]*(?:timed out|status [1-9])/);
  });
});
