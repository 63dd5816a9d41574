import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import type { ExchangedMemory } from "../../src/memory/exchange/exchanged-memory.ts";
import { encodeRow } from "../../src/store/archive-rows.ts";
import { EVERY_SCOPE } from "../../src/store/memory-store.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { carried } from "./carry-memories.ts";
import { type Item, type MemoryAction, memoryAction, pause } from "./memory-actions.ts";
import { itemsOf, MemoryRun } from "./memory-run.ts";
import { TOPIC_EMBEDDER } from "./memory-words.ts";

const RUNS = { sqlite: times({ short: 10, long: 300 }), postgres: times({ short: 5, long: 120 }) };
/** A new store takes long to make. */
const CARRIED_EVERY = 4;
const START = Date.parse("2026-03-01T10:00:00.000Z");

describe.each(ENGINES)("any sequence of calls to memory on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let now = START;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await openEngine();
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const openEngine = ({ store } = place) =>
    open({ store, embedder: TOPIC_EMBEDDER, background: "off", clock: () => now });

  it("leaves what rows in memory would hold", REPEATED, async () => {
    const steps = fc.array(fc.tuple(memoryAction, pause), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (actions) => {
        const scope = { tenant: `run-${++runs}`, agent: "main" };
        const run = new MemoryRun(engine.memoryOf(scope), scope.tenant, async () => {
          await engine.close();
          engine = await openEngine();
          return engine.memoryOf(scope);
        });
        for (const [action, passes] of actions) {
          now += passes;
          await run.take(action);
        }
        await run.compareAll();
        await expectForgotten(run.erasedWords, scope.tenant);
        if (runs <= EXAMPLES.length || runs % CARRIED_EVERY === 0) await expectCarried(await run.exportAll());
      }),
      {
        numRuns: RUNS[name],
        // Each try takes a while, and a shorter sequence is soon found by hand.
        endOnFailure: true,
        examples: EXAMPLES.map((actions) => [actions.map((action) => [action, 1_000])]),
      },
    );
  });

  /** In no row and in no segment. */
  async function expectForgotten(words: readonly string[], tenant: string): Promise<void> {
    if (words.length === 0) return;
    const rows: string[] = [];
    for await (const row of engine.store.dump()) rows.push(encodeRow(row));
    const memories = engine.store.memoriesOf({ tenant, scopes: EVERY_SCOPE });
    const { segments } = await memories.memoryIndex();
    const contents = await memories.memorySegments(segments.map(({ id }) => id));
    const all = Buffer.concat([Buffer.from(rows.join("\n")), ...contents.map(({ content }) => content)]);
    expect(words.filter((word) => all.includes(word))).toEqual([]);
  }

  async function expectCarried(memories: readonly ExchangedMemory[]): Promise<void> {
    const other = await temporaryPlace(name);
    const copy = await openEngine(other);
    try {
      const memory = copy.memoryOf({ tenant: "copy", agent: "main" });
      await memory.exchange.import(itemsOf(memories));
      const again: ExchangedMemory[] = [];
      for await (const one of memory.exchange.export()) again.push(one);
      expect(carried(again)).toEqual(carried(memories));
    } finally {
      await copy.close();
      await other.dispose();
    }
  }
});

const FACT = { scope: "global", key: "colour", word: 0 } as const;
const RUMOUR = { scope: "global", key: null, word: 0 } as const;

/** Sequences that are easily got wrong, tried each time before the random ones. */
const EXAMPLES: MemoryAction[][] = [
  // What took its place is erased: nothing brings the old one back, here or in another store.
  [store(RUMOUR), { do: "update", target: 0, word: 1 }, { do: "erase", target: 1 }],
  [store(FACT), store({ ...FACT, word: 1 }), store({ ...FACT, word: 2 }), { do: "erase", target: 1 }],
  // Set aside, and brought back with other words, or when its key is taken.
  [store(FACT), { do: "forget", target: 0 }, { do: "restore with words", target: 0, word: 1 }],
  [store(FACT), { do: "forget", target: 0 }, store({ ...FACT, word: 1 }), { do: "restore", target: 0 }],
  // The same words of another key, and behind many that are not in force any more.
  [store(FACT), { ...store({ ...FACT, key: "shape" }), otherKey: true }],
  [
    ...Array.from({ length: 7 }, (_, target) => [store(RUMOUR), { do: "forget", target } as const]).flat(),
    store(RUMOUR),
    store(RUMOUR),
  ],
];

function store(item: Item): Extract<MemoryAction, { do: "store" }> {
  return { do: "store", force: false, otherKey: false, ...item };
}
