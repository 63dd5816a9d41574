/** Compaction works in a thread of its own: what that means to a host. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, type OpenOptions, open } from "../../src/index.ts";
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import { endIdleWorkers } from "../../src/threads/idle-workers.ts";
import { findLosses } from "../properties/losslessness.ts";
import { sayTurn } from "../properties/sayings.ts";
import { type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

const SETTINGS = {
  contextBudget: 4_000,
  leafChunkTokens: 1_200,
  freshTailCount: 2,
  logLevel: "silent",
} as const;

describe("compaction in a thread", () => {
  const engines: Engine[] = [];
  const threads: Worker[] = [];
  const committed = new Map<string, object>();
  const remember = (worker: Worker) => {
    if (worker.threadName === "palimpsest-compact") threads.push(worker);
  };
  let place: Place;
  beforeEach(async () => {
    // Another file of tests in this process may have left one that an engine would use again.
    await endIdleWorkers();
    place = await temporaryPlace("sqlite");
    committed.clear();
    threads.splice(0);
    process.on("worker", remember);
  });
  afterEach(async () => {
    process.off("worker", remember);
    for (const engine of engines.splice(0)) await engine.close();
    await place.dispose();
  });

  async function openWith(options: OpenOptions): Promise<Engine> {
    const engine = await open({ store: place.store, config: SETTINGS, ...options });
    engines.push(engine);
    return engine;
  }

  async function say({ context }: Engine, turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      const key = `t${committed.size}`;
      const messages = sayTurn(key, "prose");
      await context.commitTurn({ conversation: "s", key, messages });
      for (const [index, message] of messages.entries()) committed.set(`${key}#${index}`, message);
    }
  }

  /** How many threads a compaction starts, and what it writes. */
  async function compacted(options: OpenOptions) {
    const engine = await openWith({ background: "off", clock: steadyClock(), ...options });
    await say(engine, 20);
    await engine.context.assemble({ conversation: "s" });
    const before = threads.length;
    await engine.context.compact({ conversation: "s" });
    await engine.context.compact({ conversation: "s", untilUnder: 500 });
    const { summaries } = await engine.context.conversations.summaries("s");
    return { started: threads.length - before, texts: summaries.map(({ content }) => content) };
  }

  it("starts one thread, and none where the host counts tokens itself; both write the same", async () => {
    const inThread = await compacted({});
    for (const engine of engines.splice(0)) await engine.close();
    await place.dispose();
    place = await temporaryPlace("sqlite");
    committed.clear();
    let counted = 0;
    const here = await compacted({ countTokens: (text) => estimateTokens(text) + 0 * counted++ });
    expect([inThread.started, here.started]).toEqual([1, 0]);
    expect(inThread.texts.length).toBeGreaterThan(2);
    expect(here.texts).toEqual(inThread.texts);
    expect(counted).toBeGreaterThan(0);
  });

  it("ends with the engine, in whatever moment, and loses nothing", async () => {
    for (let turns = 1; turns <= 4; turns++) {
      const engine = await openWith({});
      await say(engine, 8);
      for (let waited = 0; waited < turns; waited++) await new Promise((done) => setTimeout(done, 40));
      engines.splice(0);
      await engine.close();
    }
    const again = await openWith({ background: "off" });
    const { store } = again;
    expect(await findLosses({ store, conversation: "s", committed, budgets: [2_000] })).toEqual([]);
    await again.context.compact({ conversation: "s" });
    expect(await findLosses({ store, conversation: "s", committed, budgets: [2_000] })).toEqual([]);
  });

  it.each([
    ["is closed", "await engine.close();"],
    ["is not", ""],
  ])("lets a process end when the engine %s", async (_, end) => {
    await say(await openWith({ background: "off" }), 12);
    const script = `
      import { open } from ${JSON.stringify(pathToFileURL("src/index.ts").href)};
      const engine = await open(${JSON.stringify({ store: place.store, background: "off", config: SETTINGS })});
      const report = await engine.context.compact({ conversation: "s" });
      ${end}
      console.log(report.passes.length > 0 ? "compacted" : report.stopped);`;
    const file = path.join(place.store, "compact.mjs");
    writeFileSync(file, script);
    const output = execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60_000 });
    expect(output.trim()).toBe("compacted");
  });
});
