/**
 * Storing and recalling memories: one by one, in batches, and at 10 thousand, 100 thousand and a million of them. The
 * embedder answers at once with vectors that were made before, so that only this engine is measured.
 *
 *   node bench/memories.ts [--sizes 10000,100000,1000000] [--queries 200] [--no-postgres] [--postgres-sizes 10000,100000]
 */
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { checkLimit, finish, type Limit } from "./check-limits.ts";
import { measure, quantile } from "./measure.ts";
import { type MadeMemory, madeMemory, madeQuestion } from "./memory-material.ts";
import { openPostgres } from "./open-postgres.ts";
import { DISK, temporaryFolder } from "./places.ts";
import { figure, printTable } from "./print-table.ts";

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    "postgres-sizes": { type: "string", default: "10000,100000" },
    queries: { type: "string", default: "200" },
    postgres: { type: "boolean", default: true },
  },
});
const MODEL = "bench/made";
const BATCH = 2_000;
const SINGLE = 300;
/** Memories that came from conversations, and how many from each. */
const SPOKEN = 10_000;
const TURNS = 50;
/** Asked, and stored elsewhere, before the clock runs: what is measured is an engine at work, not its start. */
const WARM_UP = 100;
const WARM_UP_STORED = 4_000;
/** Milliseconds that a recall may take, by how many memories there are. */
const LIMITS = new Map<number, Limit>([
  [10_000, { atMost: 10 }],
  [100_000, { atMost: 25 }],
  [1_000_000, { atMost: 250 }],
]);

/** What the embedder will be asked next. */
const known = new Map<string, Float32Array>();
const embedder = {
  model: MODEL,
  dimensions: 384,
  longestInput: 256,
  embed: async (texts: readonly string[]) =>
    texts.map((text) => known.get(text) ?? new Float32Array(384).fill(384 ** -0.5)),
};

const rows: string[][] = [];
const settings = {
  embedder,
  background: "manual",
  config: { autoCapture: false, logLevel: "error" },
} as const;
const warmUp = await open({ store: temporaryFolder(DISK), ...settings });
await storeUpTo(warmUp, 0, WARM_UP_STORED);
await warmUp.close();
const sqlite = await open({ store: temporaryFolder(DISK), ...settings });
await measureEngine("SQLite", sqlite, sizesOf(options.sizes), true);
await sqlite.close();
const spoken = await open({ store: temporaryFolder(DISK), ...settings });
await measureSpoken("SQLite", spoken);
await spoken.close();
if (options.postgres) {
  const server = await openPostgres(settings);
  if ("missing" in server) console.log(`PostgreSQL is not measured: ${server.missing}`);
  else {
    await measureEngine("PostgreSQL", server.engine, sizesOf(options["postgres-sizes"]), false);
    await server.close();
  }
}
printTable(["what", "figure", "unit", "limit"], rows);
finish();

function sizesOf(text: string): readonly number[] {
  return text.split(",").map(Number);
}

async function measureEngine(
  name: string,
  engine: Engine,
  sizes: readonly number[],
  isLimited: boolean,
): Promise<void> {
  const limit = (value: number, wanted: Limit | undefined) =>
    isLimited && wanted !== undefined ? checkLimit(value, wanted) : "";
  let stored = 0;
  for (const size of sizes) {
    const speed = (size - stored) / ((await storeUpTo(engine, stored, size)) / 1_000);
    rows.push([
      `${name}: stored in batches, up to ${figure(size)}`,
      figure(speed),
      "/s",
      limit(speed, { atLeast: 8_000 }),
    ]);
    const indexed = await measure(() => engine.background?.run());
    rows.push([`${name}: indexed behind them`, figure(indexed.wallMs / 1_000), "s", ""]);
    stored = size;
    const times = await recallTimes(engine, size);
    rows.push([`${name}: recalled from ${figure(size)}, p50`, figure(quantile(times, 0.5)), "ms", ""]);
    const p95 = quantile(times, 0.95);
    rows.push([
      `${name}: recalled from ${figure(size)}, p95`,
      figure(p95),
      "ms",
      limit(p95, LIMITS.get(size)),
    ]);
  }
  const single = SINGLE / ((await storeSingly(engine, stored)) / 1_000);
  rows.push([`${name}: stored one by one`, figure(single), "/s", limit(single, { atLeast: 300 })]);
  const { rss } = process.memoryUsage();
  rows.push([`${name}: memory of the process, a memory`, figure(rss / stored), "bytes", ""]);
}

/** Every turn of conversations as a memory: then what was said around each is read as well. */
async function measureSpoken(name: string, engine: Engine): Promise<void> {
  for (let start = 0; start < SPOKEN; start += TURNS) await rememberTurns(engine, start);
  await engine.background?.run();
  const times = await recallTimes(engine, SPOKEN);
  const what = `${name}: recalled from ${figure(SPOKEN)} that were said`;
  rows.push([`${what}, p50`, figure(quantile(times, 0.5)), "ms", ""]);
  rows.push([`${what}, p95`, figure(quantile(times, 0.95)), "ms", ""]);
}

async function rememberTurns(engine: Engine, start: number): Promise<void> {
  const turns = Array.from({ length: TURNS }, (_, i) => madeMemory(start + i));
  const said = await engine.context.commitTurn({
    conversation: `said ${start}`,
    key: "all",
    messages: turns.map(({ text }, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: text })),
  });
  if (said.status === "skipped") throw new Error("nothing was stored");
  await engine.memory.storeMany(
    turns.map((turn, i) => ({ ...toStore(turn), sources: [said.messages[i]?.id ?? ""] })),
  );
}

function toStore({ text, content, vector }: MadeMemory) {
  return { text, content, category: "events" as const, vectors: { model: MODEL, vectors: [vector] } };
}

/** Milliseconds. What is stored is made before the clock starts. */
async function storeUpTo(engine: Engine, from: number, to: number): Promise<number> {
  let milliseconds = 0;
  for (let start = from; start < to; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, to - start) }, (_, i) => madeMemory(start + i));
    const inputs = batch.map(toStore);
    milliseconds += (await measure(() => engine.memory.storeMany(inputs))).wallMs;
  }
  return milliseconds;
}

async function storeSingly(engine: Engine, from: number): Promise<number> {
  let milliseconds = 0;
  for (let i = 0; i < SINGLE; i++) {
    const { text, vector } = madeMemory(from + i);
    known.set(text, vector);
    milliseconds += (await measure(() => engine.memory.store({ text, category: "events" }))).wallMs;
  }
  return milliseconds;
}

async function recallTimes(engine: Engine, size: number): Promise<readonly number[]> {
  const times: number[] = [];
  const count = Number(options.queries);
  for (let i = -WARM_UP; i < count; i++) {
    const { text, vector } = madeQuestion(size, i + 1_000);
    known.set(text, vector);
    const { wallMs } = await measure(() => engine.memory.recall({ query: text, limit: 10, source: "tool" }));
    if (i >= 0) times.push(wallMs);
  }
  return times;
}
