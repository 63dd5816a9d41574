/**
 * Storing and recalling memories: one by one, in batches, and at 10 thousand, 100 thousand and a million of them. The
 * embedder immediately returns vectors that were made before, so that only this engine is measured. PostgreSQL's peer
 * is its own scan: the statement that compares the quantised embeddings of current memories of a model.
 *
 *   node bench/memories.ts [--sizes 10000,100000,1000000] [--queries 200] [--no-postgres] [--postgres-sizes 10000,100000]
 *     [--pgvector-size 10000]
 *
 * `--pgvector-size` measures a PostgreSQL with pgvector as well: PGlite, which is compiled to WebAssembly, so that only
 * the figures beside it count. Building the index takes it half a minute.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { type Engine, open } from "../src/engine.ts";
import { Session } from "../src/store/postgres/session.ts";
import { buildIndex } from "../src/store/postgres/vectors/build-vector-index.ts";
import { signText } from "../src/store/postgres/vectors/vector-bytes.ts";
import {
  checkLimit,
  DISK,
  figure,
  finish,
  type Limit,
  measure,
  printTable,
  quantile,
  temporaryFolder,
} from "./measure.ts";
import { type MadeMemory, madeMemory, madeQuestion } from "./memory-material.ts";
import { openPostgres } from "./open-postgres.ts";

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    "postgres-sizes": { type: "string", default: "10000,100000" },
    "pgvector-size": { type: "string", default: "0" },
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

/** Times its own scan that a recall may take on PostgreSQL. */
const TIMES_SCAN = { atMost: 2 };
/** Candidates that a recall asks the server for. */
const SCANNED = 400;

/** The filter of a scan, which excludes memories of others and those that are not current. */
const OF_A_RECALL = `tenant = 'default' AND model = '${MODEL}' AND is_active`;

/** The next question for the embedder. */
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
await measureEngine("SQLite", sqlite, sizesOf(options.sizes));
await sqlite.close();
const spoken = await open({ store: temporaryFolder(DISK), ...settings });
await measureSpoken("SQLite", spoken);
await spoken.close();
if (options.postgres) {
  const server = await openPostgres(settings);
  if ("missing" in server) console.log(`PostgreSQL is not measured: ${server.missing}`);
  else {
    await measureEngine("PostgreSQL", server.engine, sizesOf(options["postgres-sizes"]), server.url);
    await server.close();
  }
}
if (Number(options["pgvector-size"]) > 0) await measurePgvector(Number(options["pgvector-size"]));
printTable(["what", "figure", "unit", "limit"], rows);
finish();

function sizesOf(text: string): readonly number[] {
  return text.split(",").map(Number);
}

async function measureEngine(
  name: string,
  engine: Engine,
  sizes: readonly number[],
  /** Of the server, where there is one: then its own scan is the measure. */
  url?: string,
): Promise<void> {
  const limit = (value: number, wanted: Limit | undefined) =>
    url === undefined && wanted !== undefined ? checkLimit(value, wanted) : "";
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
    if (url !== undefined) await countRows(url);
    const times = await recallTimes(engine, size);
    rows.push([`${name}: recalled from ${figure(size)}, p50`, figure(quantile(times, 0.5)), "ms", ""]);
    const p95 = quantile(times, 0.95);
    rows.push([
      `${name}: recalled from ${figure(size)}, p95`,
      figure(p95),
      "ms",
      limit(p95, LIMITS.get(size)),
    ]);
    if (url !== undefined) {
      await compareWithScan(name, url, size, quantile(times, 0.5));
      await measureFirst(name, url, size);
    }
  }
  const single = SINGLE / ((await storeSingly(engine, stored)) / 1_000);
  rows.push([`${name}: stored one by one`, figure(single), "/s", limit(single, { atLeast: 300 })]);
  const { rss } = process.memoryUsage();
  rows.push([`${name}: memory of the process, a memory`, figure(rss / stored), "bytes", ""]);
}

async function compareWithScan(name: string, url: string, size: number, recalled: number): Promise<void> {
  const scanned = quantile(await scanTimes(url, size, OF_A_RECALL), 0.5);
  rows.push([`${name}: its own scan of ${figure(size)}, p50`, figure(scanned), "ms", ""]);
  const times = recalled / scanned;
  rows.push([`${name}: recalled / scanned`, figure(times), "×", checkLimit(times, TIMES_SCAN)]);
  const bare = quantile(await scanTimes(url, size, "true"), 0.5);
  rows.push([`${name}: recalled / scanned without conditions`, figure(recalled / bare), "×", ""]);
}

/** Of an engine that was just opened: the server answers the first question, and the second one reads the signs. */
async function measureFirst(name: string, url: string, size: number): Promise<void> {
  const engine = await open({ store: url, ...settings });
  const [first = 0, second = 0, third = 0] = await recallTimes(engine, size, { warmUp: 0, count: 3 });
  await engine.close();
  const what = `${name}: first, second and third question to ${figure(size)}`;
  rows.push([what, [first, second, third].map(figure).join(", "), "ms", ""]);
}

/** The server counts its rows within a minute by itself. */
async function countRows(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const table of ["memories", "memory_vectors", "memory_vector_bits"])
    await client.query(`ANALYZE palimpsest.${table}`);
  await client.end();
}

/** Comparing the signs of all vectors, on a connection that has done so before. */
async function scanTimes(url: string, size: number, condition: string): Promise<readonly number[]> {
  const client = new pg.Client(url);
  await client.connect();
  const text = `SELECT scope, number, passage FROM palimpsest.memory_vector_bits
    WHERE ${condition}
    ORDER BY bit_count(bits # $1::varbit) LIMIT ${SCANNED}`;
  const times: number[] = [];
  for (let i = -WARM_UP; i < Number(options.queries); i++) {
    const values = [signText(madeQuestion(size, i + 1_000).vector)];
    const { wallMs } = await measure(() => client.query({ name: "scan", text, values }));
    if (i >= 0) times.push(wallMs);
  }
  await client.end();
  return times;
}

async function measurePgvector(size: number): Promise<void> {
  const { startPgvector } = await import("../test/start-pgvector.ts");
  const server = await startPgvector();
  const engine = await open({ store: server.url, ...settings });
  await storeUpTo(engine, 0, size);
  await engine.background?.run();
  const name = `pgvector, in PGlite: recalled from ${figure(size)}, p50`;
  const bySigns = quantile(await recallTimes(engine, size), 0.5);
  await engine.close();
  const client = new pg.Client(server.url);
  await client.connect();
  const set = { owners: "memory", model: MODEL, dimensions: 384 } as const;
  const built = await measure(() => buildIndex(new Session(client), set));
  await client.end();
  const again = await open({ store: server.url, ...settings });
  const byIndex = quantile(await recallTimes(again, size), 0.5);
  await again.close();
  await server.stop();
  rows.push([`${name}, by signs`, figure(bySigns), "ms", ""]);
  rows.push([`${name}, by its index`, figure(byIndex), "ms", ""]);
  rows.push([`pgvector, in PGlite: index built`, figure(built.wallMs / 1_000), "s", ""]);
}

/** Every turn of conversations as a memory, so that the messages around each are also read. */
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

/** Milliseconds. Test data is made before the clock starts. */
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

async function recallTimes(
  engine: Engine,
  size: number,
  { warmUp, count } = { warmUp: WARM_UP, count: Number(options.queries) },
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = -warmUp; i < count; i++) {
    const { text, vector } = madeQuestion(size, i + 1_000);
    known.set(text, vector);
    const { wallMs } = await measure(() => engine.memory.recall({ query: text, limit: 10, source: "tool" }));
    if (i >= 0) times.push(wallMs);
  }
  return times;
}
