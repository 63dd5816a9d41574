/**
 * Searching the standard workload over 200 conversations: by rare and common words, ranked and by time, in all of it and
 * in one conversation; by patterns with and without literal text. The peer is SQLite's own full-text table over the same
 * texts, in the same run. The store is made once and kept in the system's temporary folder.
 *
 *   node bench/search.ts [--messages 1000000] [--rounds 3] [--workload <file>]
 *     [--no-postgres] [--postgres-messages 50000]
 */
import { statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { DATABASE_NAME, openSqliteStore } from "../src/store/sqlite/index.ts";
import { checkLimit, figure, finish, type Limit, measure, median, printTable, quantile } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { CONVERSATIONS, openPeer, searchedStore } from "./searched-store.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const QUICK = { atMost: 30 };
const PATTERN = { atMost: 100 };
const RANKED = { atMost: 0.5 };
const SCAN = { atLeast: 0.1 };
const FIRST_HITS = { mode: "regex", limit: 5 } as const;
const DISK = { atMost: 2 };
/** Conversations that a pattern without literal text is tried on: all of a million would take minutes. */
const SCANNED = 4;
/** All code of a scan is compiled by then, like V8's expression. */
const WARM_UP_SCANS = 3;

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    messages: { type: "string", default: "1000000" },
    "postgres-messages": { type: "string", default: "50000" },
    rounds: { type: "string", default: "3" },
    workload: { type: "string", default: WORKLOAD_FILE },
    postgres: { type: "boolean", default: true },
  },
});
const messages = Number(options.messages);
const rounds = Number(options.rounds);
const workload = await StandardWorkload.load(options.workload);

type Input = Parameters<Engine["context"]["grep"]>[0];
type More = Omit<Input, "pattern">;

/** An engine on a store of the standard workload, and what can be asked of it. */
interface Subject {
  readonly engine: Engine;
  readonly queries: ReturnType<StandardWorkload["queries"]>;
  /** Ids of a few conversations. */
  readonly some: readonly string[];
}

async function subjectOn(engine: Engine, count: number): Promise<Subject> {
  const { conversations } = await engine.context.conversations.list({ limit: CONVERSATIONS });
  const some = conversations.filter((_, i) => i % 20 === 0).map(({ id }) => id);
  return { engine, queries: workload.queries({ messages: count, convs: CONVERSATIONS }), some };
}

/** Milliseconds of each search; the first round warms up. */
async function timesOf(engine: Engine, inputs: readonly Input[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++)
    for (const input of inputs) {
      const start = performance.now();
      await engine.context.grep(input);
      if (round > 0) times.push(performance.now() - start);
    }
  return times;
}

/** Limits hold on SQLite; PostgreSQL is reported. */
async function rowsOf({ engine, queries, some }: Subject, hasLimits: boolean): Promise<string[][]> {
  const row = async (name: string, inputs: readonly Input[], limit: Limit | null): Promise<string[]> => {
    const times = await timesOf(engine, inputs);
    const p95 = quantile(times, 0.95);
    const verdict = limit === null || !hasLimits ? "reported" : checkLimit(p95, limit);
    return [name, figure(quantile(times, 0.5)), figure(p95), verdict];
  };
  const rare = [...queries.rare, ...queries.cjkRare].map(({ term }) => term);
  const inEach = (patterns: readonly string[], more: More = {}): Input[] =>
    patterns.map((pattern, i) => ({ ...more, pattern, conversations: [some[i % some.length] ?? ""] }));
  const everywhere = (patterns: readonly string[], more: More = {}): Input[] =>
    patterns.map((pattern) => ({ ...more, pattern }));
  return [
    await row("rare word, everywhere", everywhere(rare), QUICK),
    await row("rare word, one conversation", inEach(rare), QUICK),
    await row("common word by time, everywhere", everywhere(queries.common, { sort: "time" }), QUICK),
    await row("common word by time, one conversation", inEach(queries.common, { sort: "time" }), QUICK),
    await row("common words ranked, everywhere", everywhere([...queries.common, ...queries.multi]), null),
    await row("pattern with a rare literal", everywhere(queries.regexRare, { mode: "regex" }), PATTERN),
    await row("pattern with a common literal", everywhere(queries.regexCommon, { mode: "regex" }), PATTERN),
    await row("first hits of a pattern without literal", everywhere(["[0-9]{2}:[0-9]"], FIRST_HITS), null),
  ];
}

async function checkComplete({ engine, queries }: Subject): Promise<void> {
  for (const { term, at } of queries.rare.slice(0, 20)) {
    const { total } = await engine.context.grep({ pattern: term });
    if (total !== at.length) throw new Error(`${term}: ${total} found, ${at.length} planted`);
  }
}

const built = await searchedStore(messages, workload);
const engine = await open({ store: built.folder, background: "off" });
const subject = await subjectOn(engine, messages);
const { queries, some } = subject;
await checkComplete(subject);
console.log(`${figure(messages)} messages, ${figure(built.rawBytes / 1e6)} MB of JSON; milliseconds\n`);
printTable(["search on SQLite", "p50", "p95", "limit"], await rowsOf(subject, true));

const peer = openPeer(built.folder);
const ranked = peer.prepare("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 20");
const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round <= rounds; round++)
  for (const pattern of queries.common) {
    const start = performance.now();
    await engine.context.grep({ pattern });
    const middle = performance.now();
    ranked.all(pattern);
    if (round === 0) continue;
    ours.push(middle - start);
    theirs.push(performance.now() - middle);
  }
peer.close();
const ratio = quantile(ours, 0.5) / quantile(theirs, 0.5);

/** The same text by V8's own expressions, read before the clock starts; ours reads and opens it as well. By turns. */
async function scanRatio(): Promise<{
  readonly ours: number;
  readonly native: number;
  readonly ratio: number;
  readonly bytes: number;
}> {
  const scanned = some.slice(0, SCANNED);
  const texts = await textsIn(scanned);
  const source = "[0-9]{7}-[qz]{3}";
  const expression = new RegExp(source, "m");
  const times: { readonly ours: number; readonly native: number }[] = [];
  for (let round = -WARM_UP_SCANS; round < rounds; round++) {
    const { wallMs: ours } = await measure(() =>
      engine.context.grep({ pattern: source, mode: "regex", conversations: scanned }),
    );
    const start = performance.now();
    for (const text of texts) expression.test(text);
    if (round >= 0) times.push({ ours, native: performance.now() - start });
  }
  return {
    ours: median(times.map(({ ours }) => ours)),
    native: median(times.map(({ native }) => native)),
    ratio: median(times.map(({ ours, native }) => native / ours)),
    bytes: texts.reduce((sum, text) => sum + text.length, 0),
  };
}

async function textsIn(conversations: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const conversation of conversations)
    for (let from: number | null = 1; from !== null; ) {
      const page: Awaited<ReturnType<Engine["context"]["read"]>> = await engine.context.read({
        conversation,
        from,
      });
      texts.push(...page.messages.map(({ parts }) => parts.map((part) => JSON.stringify(part)).join("\n")));
      from = page.next;
    }
  return texts;
}
const scan = await scanRatio();
await engine.close();
const size = statSync(path.join(built.folder, DATABASE_NAME)).size;

console.log("");
printTable(
  ["ratio", "ours", "peer", "ratio", "limit"],
  [
    [
      "common word ranked / full BM25 scan, ms",
      figure(quantile(ours, 0.5)),
      figure(quantile(theirs, 0.5)),
      figure(ratio),
      checkLimit(ratio, RANKED),
    ],
    [
      "pattern without literal / V8 alone, MB/s",
      figure(scan.bytes / 1e3 / scan.ours),
      figure(scan.bytes / 1e3 / scan.native),
      figure(scan.ratio),
      checkLimit(scan.ratio, SCAN),
    ],
    [
      "disk with all search tables / raw JSON, MB",
      figure(size / 1e6),
      figure(built.rawBytes / 1e6),
      figure(size / built.rawBytes),
      checkLimit(size / built.rawBytes, DISK),
    ],
    [
      "indexing / FTS5 without trigrams, messages/s of CPU",
      figure(messages / (built.index.cpuMs / 1000)),
      figure(messages / (built.peerIndex.cpuMs / 1000)),
      figure(built.peerIndex.cpuMs / built.index.cpuMs),
      "reported",
    ],
  ],
);

/** Moved from a store of SQLite, and indexed anew. */
async function reportPostgres(count: number): Promise<void> {
  const postgres = await openPostgres({ background: "off" });
  if ("missing" in postgres) {
    console.log(`\nPostgreSQL: ${postgres.missing}`);
    return;
  }
  try {
    const source = await openSqliteStore({ dataDir: (await searchedStore(count, workload)).folder });
    await postgres.engine.store.load(source.dump(), { replace: false });
    await source.close();
    const { wallMs } = await measure(() => postgres.engine.context.index.build());
    const moved = await subjectOn(postgres.engine, count);
    await checkComplete(moved);
    console.log(`\n${figure(count)} messages, indexed in ${figure(wallMs / 1000)} s; milliseconds\n`);
    printTable(["search on PostgreSQL", "p50", "p95", "limit"], await rowsOf(moved, false));
  } finally {
    await postgres.close();
  }
}
if (options.postgres) await reportPostgres(Number(options["postgres-messages"]));
finish();
