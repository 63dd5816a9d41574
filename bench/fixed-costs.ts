/**
 * What every call and every start costs, however long the history is: a rare word, a pattern with fifty hits, describing
 * and expanding summaries, a commit of one message, and the way from `import` to the first answer. Each at three sizes.
 * Searches run on one conversation of the standard workload, summaries on the store of `folded-store.ts`. Starts are
 * measured in new processes, on the built package and with the compile cache that `lcm` switches on.
 *
 *   node bench/fixed-costs.ts [--messages 1000,10000,100000] [--calls 300] [--no-starts] [--no-postgres]
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { foldedStore } from "./folded-store.ts";
import {
  type Cost,
  checkLimit,
  DISK,
  figure,
  finish,
  type Limit,
  measure,
  median,
  places,
  printTable,
  quantile,
  temporaryFolder,
} from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
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
/** The first half warms up. */
const COMMITS = 6_000;
const COMMITS_MEASURED = 100;
const STARTS = 7;
const POSTGRES_MESSAGES = 10_000;

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
const compileCache = temporaryFolder(DISK);

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
  const ask = (input: Parameters<Engine["context"]["grep"]>[0]) => engine.context.grep(input);
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

/** Processor time is read for each block of commits: the first ones of a process are still being compiled. */
async function reportCommits(): Promise<void> {
  for (const { name, folder } of places()) {
    const engine = await open({ store: temporaryFolder({ name, folder }), background: "off" });
    const messages = [...workload.messages({ messages: COMMITS })].map((m) => workload.toAgentMessage(m));
    const blocks: Cost[] = [];
    for (let first = 0; first < COMMITS; first += COMMITS_MEASURED)
      blocks.push(
        await measure(() => commitEach(engine, messages.slice(first, first + COMMITS_MEASURED), first)),
      );
    const timed = blocks.slice(blocks.length / 2);
    const place = `SQLite, ${name}`;
    const perCommit = (cost: "cpuMs" | "wallMs") => timed.map((block) => block[cost] / COMMITS_MEASURED);
    report(place, "commit one message, CPU", perCommit("cpuMs"), COMMIT_CPU_MS);
    report(place, "commit one message, wall", perCommit("wallMs"), null);
    await engine.close();
  }
}

async function commitEach(engine: Engine, messages: readonly object[], first: number): Promise<void> {
  for (const [index, message] of messages.entries())
    await engine.context.commitTurn({ conversation: "c", key: `${first + index}`, messages: [message] });
}

const built = (file: string) => new URL(`../dist/${file}`, import.meta.url).href;
const FIRST_READ = `
  const start = performance.now();
  const { open } = await import("${built("index.js")}");
  const engine = await open({ store: process.argv[1] });
  await engine.context.conversations.list();
  console.log(performance.now() - start);
  await engine.close();`;
const STATUS = `
  const { main } = await import("${built("cli/main.js")}");
  process.exitCode = await main(["--data", process.argv[1], "status"]);
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1000);`;

/** In new processes, of the published package: run `npm run build` before. */
function reportStarts(folder: string, place: string): void {
  const run = (script: string) => {
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script, folder], {
      encoding: "utf8",
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    });
    return Number(stdout.trimEnd().split("\n").at(-1));
  };
  const times = (script: string) => Array.from({ length: STARTS + 1 }, () => run(script)).slice(1);
  report(place, "import, open, first read", times(FIRST_READ), FIRST_READ_MS);
  report(place, "lcm status, CPU", times(STATUS), STATUS_CPU_MS);
}

/** The stores of SQLite, moved. */
async function reportPostgres(messages: number): Promise<void> {
  const moved = async (folder: string, ask: (engine: Engine) => Promise<void>) => {
    const postgres = await openPostgres({ background: "off" });
    if ("missing" in postgres) return void console.log(`PostgreSQL: ${postgres.missing}`);
    try {
      const source = await openSqliteStore({ dataDir: folder });
      await postgres.engine.store.load(source.dump(), { replace: false });
      await source.close();
      await postgres.engine.context.index.build();
      await ask(postgres.engine);
    } finally {
      await postgres.close();
    }
  };
  const place = `${figure(messages)}, PostgreSQL`;
  const { folder } = await searchedStore(messages, workload, 1);
  await moved(folder, (engine) => reportSearches(engine, messages, place, false));
  await moved(await foldedStore(messages, workload), (engine) => reportSummaries(engine, place, false));
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
if (options.postgres) await reportPostgres(POSTGRES_MESSAGES);
printTable(["messages", "call", "p50 ms", "p95 ms", "limit"], table);
finish();
