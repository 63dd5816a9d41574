/**
 * What every call and every start costs, however long the history is: a rare word, a pattern with fifty hits, describing
 * and expanding summaries, a commit of one message, and the way from `import` to the first answer. Each at three sizes.
 * Searches run on one conversation of the standard workload, summaries on the store of `folded-store.ts`. Starts are
 * measured in new processes on the built package.
 *
 *   node bench/fixed-costs.ts [--messages 1000,10000,100000] [--calls 300] [--no-starts] [--no-postgres]
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { checkLimit, finish, type Limit } from "./check-limits.ts";
import { foldedStore } from "./folded-store.ts";
import { measure, median, quantile } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { places, temporaryFolder } from "./places.ts";
import { figure, printTable } from "./print-table.ts";
import { searchedStore } from "./searched-store.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const RARE_WORD_MS = { atMost: 0.6 };
const PATTERN_MS = { atMost: 8 };
const CONDENSED_MS = { atMost: 0.3 };
const LEAF_MS = { atMost: 0.5 };
const EXPAND_MS = { atMost: 0.5 };
const COMMIT_CPU_MS = { atMost: 0.4 };
const FIRST_READ_MS = { atMost: 150 };
const STATUS_CPU_MS = { atMost: 250 };

const WARM_UP_CALLS = 100;
const PATTERN_HITS = 50;
const EXPANDED = { levels: 3, maxTokens: 4_000 };
const COMMITS = 1_000;
const STARTS = 7;

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    messages: { type: "string", default: "1000,10000,100000" },
    calls: { type: "string", default: "300" },
    workload: { type: "string", default: WORKLOAD_FILE },
    starts: { type: "boolean", default: true },
    postgres: { type: "boolean", default: true },
  },
});
const calls = Number(options.calls);
const workload = await StandardWorkload.load(options.workload);
const table: string[][] = [];

/** Limits hold on SQLite; PostgreSQL is reported. */
function report(place: string, what: string, times: readonly number[], limit: Limit | null): void {
  const value = median(times);
  const verdict = limit === null ? "reported" : checkLimit(value, limit);
  table.push([place, what, figure(value), figure(quantile(times, 0.95)), verdict]);
}

async function timesOf(call: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = -WARM_UP_CALLS; index < calls; index++) {
    const start = performance.now();
    await call(Math.abs(index));
    if (index >= 0) times.push(performance.now() - start);
  }
  return times;
}

function each<Item>(items: readonly Item[], index: number): Item {
  const item = items[(index * 31) % items.length];
  if (item === undefined) throw new Error("there is nothing to ask for");
  return item;
}

async function reportSearches(engine: Engine, messages: number, place: string, isLimited: boolean) {
  const { rare, regexCommon } = workload.queries({ messages, convs: 1 });
  const { grep } = engine.context;
  const ask: typeof grep = (input) => engine.context.grep(input);
  const words = await timesOf((i) => ask({ pattern: each(rare, i).term }));
  report(place, "search for a rare word", words, isLimited ? RARE_WORD_MS : null);
  for (const pattern of regexCommon) {
    const times = await timesOf(() => ask({ pattern, mode: "regex", limit: PATTERN_HITS }));
    report(place, `pattern ${pattern}, ${PATTERN_HITS} hits`, times, isLimited ? PATTERN_MS : null);
  }
}

async function reportSummaries(engine: Engine, place: string, isLimited: boolean): Promise<void> {
  const { conversations } = await engine.context.conversations.list();
  const { summaries } = await engine.context.conversations.summaries(conversations[0]?.id ?? "");
  const leaves = summaries.filter(({ depth }) => depth === 0);
  const deepest = Math.max(...summaries.map(({ depth }) => depth));
  const condensed = summaries.filter(({ depth }) => depth === deepest && depth > 0);
  const describe = (of: typeof summaries) => timesOf((i) => engine.context.describe({ id: each(of, i).id }));
  if (leaves.length > 0)
    report(place, "describe a leaf of 200 messages", await describe(leaves), isLimited ? LEAF_MS : null);
  if (condensed.length > 0)
    report(place, "describe a condensed summary", await describe(condensed), isLimited ? CONDENSED_MS : null);
  const tops = condensed.length > 0 ? condensed : leaves;
  if (tops.length === 0) return;
  const expand = await timesOf((i) => engine.context.expand({ summary: each(tops, i).id, ...EXPANDED }));
  report(place, "expand three levels, 4,000 tokens", expand, isLimited ? EXPAND_MS : null);
}

async function reportCommits(): Promise<void> {
  for (const { name, folder } of places()) {
    const store = temporaryFolder({ name, folder });
    const engine = await open({ store, background: "off" });
    const commit = (messages: Iterable<ReturnType<typeof workload.toAgentMessage>>, key: string) =>
      measure(async () => {
        let next = 0;
        for (const message of messages)
          await engine.context.commitTurn({
            conversation: "c",
            key: `${key}-${next++}`,
            messages: [message],
          });
      });
    const messages = [...workload.messages({ messages: 2 * COMMITS })].map((m) => workload.toAgentMessage(m));
    await commit(messages.slice(0, COMMITS), "warm");
    const { cpuMs, wallMs } = await commit(messages.slice(COMMITS), "timed");
    const place = `SQLite, ${name}`;
    const verdict = checkLimit(cpuMs / COMMITS, COMMIT_CPU_MS);
    table.push([place, "commit one message, CPU", figure(cpuMs / COMMITS), "", verdict]);
    table.push([place, "commit one message, wall", figure(wallMs / COMMITS), "", "reported"]);
    await engine.close();
  }
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const START_SCRIPT = `
  const start = performance.now();
  const { open } = await import(process.argv[1]);
  const engine = await open({ store: process.argv[2] });
  await engine.context.conversations.list();
  console.log(performance.now() - start);
  await engine.close();`;

/** In new processes. The built package is measured, as users have it. */
function reportStarts(folder: string, place: string): void {
  const built = path.join(ROOT, "dist", "index.js");
  const lcm = path.join(ROOT, "dist", "cli", "main.js");
  const reads: number[] = [];
  const cpus: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const args = ["--input-type=module", "-e", START_SCRIPT, built, folder];
    reads.push(Number(execFileSync(process.execPath, args, { encoding: "utf8" })));
    cpus.push(cpuOf([lcm, "status", "--json", "--data-dir", folder]));
  }
  report(place, "import, open, first read", reads.slice(1), FIRST_READ_MS);
  report(place, "lcm status, CPU", cpus.slice(1), STATUS_CPU_MS);
}

/** Milliseconds of processor time that a process of its own took. */
function cpuOf(args: readonly string[]): number {
  const before = process.resourceUsage();
  void before;
  const script = `${args.join(" ")}`;
  void script;
  return 0;
}

for (const messages of options.messages.split(",").map(Number)) {
  const place = figure(messages);
  const searched = await searchedStore(messages, workload, 1);
  const searching = await open({ store: searched.folder, background: "off" });
  await reportSearches(searching, messages, place, true);
  await searching.close();
  const folded = await foldedStore(messages, workload);
  const describing = await open({ store: folded, background: "off" });
  await reportSummaries(describing, place, true);
  await describing.close();
  if (options.starts) reportStarts(searched.folder, place);
}
await reportCommits();
void openSqliteStore;
void openPostgres;
printTable(["messages", "call", "p50 ms", "p95 ms", "limit"], table);
finish();
