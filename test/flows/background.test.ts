/** Compaction that nobody asked for: when it starts, who waits for it, and what its end leaves behind. */
import { setTimeout as delay, setImmediate as soon } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Complete,
  type CompletionRequest,
  type Engine,
  type OpenOptions,
  open,
} from "../../src/index.ts";
import { failOn } from "../../src/store/testing/faulty-store.ts";
import { findLosses } from "../properties/losslessness.ts";
import { sayTurn } from "../properties/sayings.ts";
import { ANSWER, refusedKey } from "../scripted-complete.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

/** A turn has about 500 tokens: seven are above the soft threshold, eight above the hard one. */
const SETTINGS = {
  contextBudget: 4_000,
  leafChunkTokens: 1_200,
  freshTailCount: 2,
  // Memories are made in the background as well.
  autoCapture: false,
  logLevel: "silent",
} as const;
const GOOD = { ...ANSWER, text: "They looked into the build. Expand for details about: the build." };

/** A model that answers only when it is told to. */
function heldModel() {
  const released = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const calls: CompletionRequest[] = [];
  const complete: Complete = async (request) => {
    calls.push(request);
    asked.resolve();
    await released.promise;
    return GOOD;
  };
  return { complete, calls, asked: asked.promise, release: () => released.resolve() };
}

describe.each(ENGINES)("background work on %s", (name) => {
  const committed = new Map<string, object>();
  const engines: Engine[] = [];
  let place: Place;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    committed.clear();
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
    await place.dispose();
  });

  async function openWith({ config, ...options }: OpenOptions): Promise<Engine> {
    const engine = await open({ store: place.store, config: { ...SETTINGS, ...config }, ...options });
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

  async function untilLevel(engine: Engine, level: "soft" | "hard"): Promise<void> {
    while ((await engine.context.evaluate({ conversation: "s" })).level !== level) await say(engine, 1);
  }

  const lossesIn = ({ store }: Engine) =>
    findLosses({ store, conversation: "s", committed, budgets: [2_000] });

  it("does not begin while the context is fine", async () => {
    const { complete, calls } = heldModel();
    const engine = await openWith({ complete });
    await say(engine, 5);
    expect((await engine.context.evaluate({ conversation: "s" })).level).toBe("fine");
    expect((await engine.context.assemble({ conversation: "s" })).waited).toBe(false);
    await soon();
    expect(engine.background?.size).toBe(0);
    expect(calls).toEqual([]);
  });

  it("begins above the soft threshold, and no turn and no assembly waits for it", async () => {
    const { complete, calls, asked, release } = heldModel();
    const engine = await openWith({ complete });
    await say(engine, 1);
    await untilLevel(engine, "soft");
    await asked;
    // The model has not answered; everything else goes on.
    expect((await engine.context.assemble({ conversation: "s" })).waited).toBe(false);
    expect((await engine.context.conversations.summaries("s")).summaries).toEqual([]);
    expect(calls.length).toBe(1);
    release();
    await engine.background?.run();
    const { level, tokens, target } = await engine.context.evaluate({ conversation: "s" });
    expect([level, tokens <= target]).toEqual(["fine", true]);
    expect(await lossesIn(engine)).toEqual([]);
  });

  it("is waited for by an assembly above the hard threshold", async () => {
    const { complete, asked, release } = heldModel();
    const engine = await openWith({ complete });
    await say(engine, 1);
    await untilLevel(engine, "hard");
    let isAssembled = false;
    const assembling = engine.context.assemble({ conversation: "s" }).then((answer) => {
      isAssembled = true;
      return answer;
    });
    await asked;
    await delay(30);
    expect(isAssembled).toBe(false);
    release();
    const { waited, items } = await assembling;
    expect(waited).toBe(true);
    expect(items.some(({ type }) => type === "summary")).toBe(true);
    expect(await lossesIn(engine)).toEqual([]);
  });

  it("is waited for when what is sent does not fit, whatever the thresholds say", async () => {
    const engine = await openWith({ config: { contextBudget: 8_000 } });
    // Escaped, as it is sent, it is far longer than it was said.
    const quoted = (turn: number) => `Turn ${turn}: ${'"\\"'.repeat(60)} ${"and so on. ".repeat(12)}`;
    for (let turn = 0; turn < 400; turn++) {
      await engine.context.commitTurn({
        conversation: "s",
        key: `q${turn}`,
        messages: [
          { role: "user", content: quoted(turn) },
          { role: "assistant", content: "Noted." },
        ],
      });
      const { level } = await engine.context.evaluate({ conversation: "s" });
      const { waited, leftOut, items, compaction } = await engine.context.assemble({ conversation: "s" });
      if (!waited) {
        expect([leftOut, compaction]).toEqual([0, null]);
        continue;
      }
      expect([level, leftOut]).toEqual([expect.stringMatching(/fine|soft/), 0]);
      expect(compaction).toEqual({ outcome: "target reached", problem: null });
      expect(items.some(({ type }) => type === "summary")).toBe(true);
      return;
    }
    expect.unreachable("everything always fitted");
  });

  it("is named with its reason by the assembly that waited for it in vain", async () => {
    const complete: Complete = async () => {
      throw refusedKey();
    };
    const engine = await openWith({ complete });
    await say(engine, 1);
    await untilLevel(engine, "hard");
    const { waited, compaction } = await engine.context.assemble({ conversation: "s" });
    expect(waited).toBe(true);
    expect(compaction?.outcome).toBe("model-authentication");
    expect(compaction?.problem).toContain("refused the key");
  });

  it("looks at what any assembly may have, when that is less than the budget", async () => {
    const { complete, asked, release } = heldModel();
    const engine = await openWith({
      complete,
      config: { contextBudget: 128_000, maxAssemblyTokenBudget: 4_000 },
    });
    await say(engine, 1);
    await untilLevel(engine, "soft");
    await Promise.race([asked, delay(5_000).then(() => expect.fail("nothing began"))]);
    release();
  });

  it.each([
    ["autocompactDisabled", { config: { autocompactDisabled: true } }],
    ["background: off", { background: "off" as const }],
  ])("does not exist with %s, and then nobody waits", async (_, options) => {
    const { complete, calls } = heldModel();
    const engine = await openWith({ complete, ...options });
    await say(engine, 1);
    await untilLevel(engine, "hard");
    const { waited, overBudget } = await engine.context.assemble({ conversation: "s", budget: 2_000 });
    expect([waited, overBudget]).toEqual([false, null]);
    await soon();
    expect(engine.background).toBeNull();
    expect(calls).toEqual([]);
  });

  it("waits to be run when the host drives it", async () => {
    const { complete, calls, release } = heldModel();
    release();
    const engine = await openWith({ complete, background: "manual" });
    await say(engine, 1);
    await untilLevel(engine, "soft");
    await delay(20);
    expect([engine.background?.size, calls.length]).toEqual([1, 0]);
    await engine.background?.run();
    expect(engine.background?.size).toBe(0);
    expect(calls.length).toBeGreaterThan(0);
    expect((await engine.context.evaluate({ conversation: "s" })).level).toBe("fine");
    expect(await lossesIn(engine)).toEqual([]);
  });

  /** How hosts' functions behave when they are told to stop. */
  const stubborn: Record<string, Complete> = {
    "stops when it is told to": ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
    "never answers": () => new Promise(() => {}),
  };

  it.each(Object.entries(stubborn))("ends with the engine, when its model %s", async (_, waiting) => {
    const warnings: unknown[] = [];
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    const complete: Complete = (request) => {
      if (++calls === 1) return Promise.resolve(GOOD);
      asked.resolve();
      return waiting(request);
    };
    const log = {
      debug: () => {},
      info: () => {},
      warn: (...said: unknown[]) => warnings.push(said),
      error: () => {},
    };
    const engine = await openWith({ complete, log });
    await say(engine, 1);
    await untilLevel(engine, "soft");
    await asked.promise;
    engines.splice(0);
    await Promise.race([engine.close(), delay(5_000).then(() => expect.fail("it does not close"))]);
    expect(warnings).toEqual([]);

    const again = await openWith({ background: "off" });
    expect((await again.context.conversations.summaries("s")).summaries.length).toBe(1);
    expect(await lossesIn(again)).toEqual([]);
    await again.context.compact({ conversation: "s" });
    expect(await lossesIn(again)).toEqual([]);
  });

  it("tells the log when it fails, and nobody else", async () => {
    const warnings: unknown[] = [];
    const log = {
      debug: () => {},
      info: () => {},
      warn: (...said: unknown[]) => warnings.push(said),
      error: () => {},
    };
    const complete: Complete = async () => {
      throw refusedKey();
    };
    const engine = await openWith({ complete, log });
    await say(engine, 1);
    await untilLevel(engine, "hard");
    const { waited, overBudget } = await engine.context.assemble({ conversation: "s" });
    expect([waited, overBudget]).toEqual([true, null]);
    await say(engine, 1);
    await engine.background?.run();
    expect(warnings).toContainEqual([
      expect.objectContaining({ err: expect.objectContaining({ code: "model-authentication" }) }),
      "background work failed",
    ]);
    expect((await engine.context.conversations.summaries("s")).summaries).toEqual([]);
    expect(await lossesIn(engine)).toEqual([]);
  });

  it("loses the store while the next summary is made, and the process lives on", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    const engine = await openWith({ background: "off" });
    await say(engine, 8);
    let commits = 0;
    const complete: Complete = async () => {
      await delay(50);
      return GOOD;
    };
    const losing = await open({
      store: failOn(engine.store, () => (++commits === 2 ? "before-commit" : "none")),
      config: SETTINGS,
      background: "off",
      complete,
    });
    process.on("unhandledRejection", note);
    try {
      await expect(losing.context.compact({ conversation: "s" })).rejects.toMatchObject({
        code: "store-unavailable",
      });
      await delay(10);
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
    // The first is stored, and so may be what was on its way behind the lost one.
    const { summaries } = await engine.context.conversations.summaries("s");
    expect(summaries.length).toBeGreaterThanOrEqual(1);
    expect(summaries.length).toBeLessThan(commits);
    expect(await lossesIn(engine)).toEqual([]);
  });
});
