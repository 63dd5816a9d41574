/**
 * Finding memories by their words among ten thousand to a million: a search by both recipes, the scores of fifty others
 * that came from elsewhere, opening the index in a fresh process, and how long the event loop is held up. Memories of
 * about forty words are made by a seeded generator whose vocabulary is spread as that of a language; a question has
 * five to eight words of mixed frequency. The store is a stand-in in this process: what a database takes to hand out
 * the segments is measured with the stores.
 *
 *   node bench/memory-words.ts [--memories 10000,100000,1000000] [--searches 200]
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MemoryIndexer } from "../src/memory/recall/index/memory-indexer.ts";
import { MemoryWords } from "../src/memory/recall/index/memory-words.ts";
import { wordQuery } from "../src/memory/recall/index/word-query.ts";
import { INLINE_SEGMENT_MAKER } from "../src/memory/testing/inline-segments.ts";
import { GeneratedMemories } from "./generated-memories.ts";
import { type Cost, checkLimit, figure, finish, measure, printTable, quantile } from "./measure.ts";

/** The time for words in a recall, in milliseconds: its limit minus the time of the vector search. */
const LIMITS: Readonly<Record<number, { readonly search: number; readonly open: number }>> = {
  10000: { search: 9, open: 50 },
  100000: { search: 19, open: 300 },
  1000000: { search: 190, open: 2_000 },
};
const HELD_UP = 50;
const HITS = 50;

const { values: options } = parseArgs({
  options: {
    memories: { type: "string", default: "10000,100000,1000000" },
    searches: { type: "string", default: "200" },
  },
});

const rows: string[][] = [];
for (const memories of options.memories.split(",").map(Number)) rows.push(...(await measureAt(memories)));
printTable(["memories", "what", "p50 ms", "p95 ms", "CPU p95", "p95 / limit", ""], rows);
finish();

async function measureAt(memories: number): Promise<string[][]> {
  const store = new GeneratedMemories(memories);
  const made = await measure(() => new MemoryIndexer(store, INLINE_SEGMENT_MAKER).catchUp());
  const name = memories.toLocaleString("en-US");
  const { segments } = await store.memoryIndex();
  console.log(
    `${name}: indexed at ${figure(memories / (made.wallMs / 1_000))} a second, ` +
      `${segments.length} segments, ${figure(store.indexBytes / memories)} bytes a memory`,
  );
  const opened = await timesOf(5, async () => {
    await open(store).search(wordQuery(store.question(0)), { limit: HITS });
  });
  const words = open(store);
  const search = async (i: number) => words.search(wordQuery(store.question(i)), { limit: HITS });
  for (let i = 0; i < 20; i++) await search(i);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const searched = await timesOf(Number(options.searches), search);
  const scored = await timesOf(Number(options.searches), async (i) => {
    await (await search(i)).scoreAlso(store.someRefs(i, HITS));
  });
  delay.disable();
  const limit = LIMITS[memories] ?? { search: Number.NaN, open: Number.NaN };
  return [
    rowOf(name, "search", searched, limit.search),
    rowOf(name, `search, and ${HITS} others scored`, scored, limit.search),
    rowOf(name, "first search of a process", opened, limit.open),
    rowOf(name, "event loop held up, p99", [{ wallMs: delay.percentile(99) / 1e6, cpuMs: 0 }], HELD_UP),
  ];
}

function open(store: GeneratedMemories): MemoryWords {
  return new MemoryWords({ store, maker: INLINE_SEGMENT_MAKER, indexer: null });
}

async function timesOf(count: number, run: (i: number) => Promise<unknown>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let i = 0; i < count; i++) {
    costs.push(await measure(() => run(i)));
    // Nothing here waits for a database, so without this the event loop would be blocked between searches.
    await setImmediate();
  }
  return costs;
}

function rowOf(name: string, what: string, costs: readonly Cost[], limit: number): string[] {
  const wall = costs.map(({ wallMs }) => wallMs);
  const cpu = costs.map(({ cpuMs }) => cpuMs);
  const p95 = quantile(wall, 0.95);
  const shown = [quantile(wall, 0.5), p95, quantile(cpu, 0.95)].map(figure);
  if (!Number.isFinite(limit)) return [name, what, ...shown];
  return [name, what, ...shown, figure(p95 / limit), checkLimit(p95, { atMost: limit })];
}
