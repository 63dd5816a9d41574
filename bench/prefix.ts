/**
 * How much of what a provider has in its cache stays useful over a long run. Before each turn the context is
 * assembled, the turn is committed, and what waits in the background is done before the next one. Counted is how much
 * of each answer begins byte for byte like the answer before; an addition to the system prompt that changes makes the
 * whole answer new. Assembling must never have to wait for a compaction. Every turn keeps its receipt: what do they
 * take of the disk? All of it twice: with old tool results as they were, and as stubs.
 *
 *   node bench/prefix.ts [--turns 500] [--budget 128000] [--format original] [--workload <file>]
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { DATABASE_NAME } from "../src/store/sqlite/index.ts";
import { estimateTokens } from "../src/text/estimate-tokens.ts";
import { formatOption } from "./format-option.ts";
import { instantModel } from "./instant-model.ts";
import { checkLimit, DISK, figure, finish, printTable, temporaryFolder } from "./measure.ts";
import { sqliteTableSizes } from "./sqlite-table-sizes.ts";
import { StandardWorkload, type Turn, WORKLOAD_FILE } from "./standard-workload.ts";

const STABLE_LIMIT = { atLeast: 0.95 };
const WAITED_LIMIT = { atMost: 0 };
/** More than any turn of the workload has. */
const MESSAGES_PER_TURN = 20;
const RECEIPTS = "assembly_receipts";
/** Less than by default: results of the workload are short. */
const STUB_BYTES = 1_000;

const { values: options } = parseArgs({
  options: {
    turns: { type: "string", default: "500" },
    budget: { type: "string", default: "128000" },
    format: { type: "string", default: "original" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});
const budget = Number(options.budget);
const format = formatOption(options.format);

type Answer = Awaited<ReturnType<Engine["context"]["assemble"]>>;

class Run {
  turns = 0;
  messages = 0;
  answers = 0;
  /** Tokens of the answers before, and those of them that came again at the beginning. */
  previous = 0;
  reused = 0;
  /** Turns at which something that had been sent was not sent again as it was. */
  breaks = 0;
  waited = 0;
  compactions = 0;
  passes = 0;
  largest = 0;
  /** Tool results that an answer shows as stubs, at most. */
  mostStubs = 0;
  readonly #engine: Engine;
  #last: Answer | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async take({ key, messages }: Turn): Promise<void> {
    if (this.turns > 0)
      this.#compare(await this.#engine.context.assemble({ conversation: "run", budget, format }));
    await this.#engine.context.commitTurn({ conversation: "run", key, messages });
    this.turns++;
    this.messages += messages.length;
    await this.#engine.background?.run();
    await this.#countPasses();
  }

  #compare(answer: Answer): void {
    this.answers++;
    if (answer.waited) this.waited++;
    this.largest = Math.max(this.largest, answer.tokens);
    const stubs = answer.items.filter((item) => item.reason === "stub of an old tool result");
    this.mostStubs = Math.max(this.mostStubs, stubs.length);
    if (this.#last !== undefined) this.#add(this.#last, answer);
    this.#last = answer;
  }

  #add(before: Answer, { systemPromptAddition, reused }: Answer): void {
    const tokens = before.tokens - estimateTokens(before.systemPromptAddition ?? "");
    const again = systemPromptAddition === before.systemPromptAddition ? (reused?.tokens ?? 0) : 0;
    this.previous += tokens;
    this.reused += again;
    if (again < tokens) this.breaks++;
  }

  async #countPasses(): Promise<void> {
    const { summaries } = await this.#engine.context.conversations.summaries("run");
    if (summaries.length > this.passes) this.compactions++;
    this.passes = summaries.length;
  }
}

async function receiptBytes(engine: Engine): Promise<number> {
  const { tenant, agent } = engine.config;
  const store = engine.store.scoped({ tenant, agent });
  const { id } = await engine.context.conversations.get("run");
  let bytes = 0;
  for (let from: number | null = 1; from !== null; ) {
    const page: Awaited<ReturnType<typeof store.receipts>> = await store.receipts(id, { from });
    for (const { content } of page.rows) bytes += Buffer.byteLength(content, "utf8");
    from = page.next;
  }
  return bytes;
}

const VARIANTS = {
  "as they were": { stubLargeToolPayloads: false },
  "as stubs": { stubLargeToolPayloads: true, toolOutputStubBytes: STUB_BYTES },
} as const;
type Variant = (typeof VARIANTS)[keyof typeof VARIANTS];

interface Outcome {
  readonly run: Run;
  readonly receiptBytes: number;
  /** Of the table of receipts, and of all tables. */
  readonly table: number;
  readonly disk: number;
}

async function runTurns(turns: number, variant: Variant): Promise<Outcome> {
  const folder = temporaryFolder(DISK);
  const engine = await open({
    store: folder,
    background: "manual",
    complete: instantModel,
    config: { contextBudget: budget, autoCapture: false, ...variant },
  });
  const run = new Run(engine);
  for (const turn of workload.turns({ messages: turns * MESSAGES_PER_TURN })) {
    if (run.turns === turns) break;
    await run.take(turn);
  }
  const bytes = await receiptBytes(engine);
  await engine.close();
  const tables = sqliteTableSizes(path.join(folder, DATABASE_NAME));
  const disk = [...tables.values()].reduce((sum, size) => sum + size, 0);
  return { run, receiptBytes: bytes, table: tables.get(RECEIPTS) ?? 0, disk };
}

function rowsOf(results: string, { run, receiptBytes: receipts, table, disk }: Outcome): string[][] {
  const stable = run.reused / Math.max(1, run.previous);
  const largest = run.largest / budget;
  return [
    ["prefix tokens that stay byte-equal, share", stable.toFixed(4), checkLimit(stable, STABLE_LIMIT)],
    ["turns that waited for a compaction", figure(run.waited), checkLimit(run.waited, WAITED_LIMIT)],
    ["largest answer / budget", figure(largest), checkLimit(largest, { atMost: 1 })],
    ["turns at which the prefix broke", `${run.breaks} of ${run.answers - 1}`, "reported"],
    ["most stubs in an answer", figure(run.mostStubs), "reported"],
    ["compactions", `${run.compactions} (${run.passes} summaries)`, "reported"],
    ["turns a compaction", figure(run.turns / Math.max(1, run.compactions)), "reported"],
    ["bytes of a receipt", figure(receipts / Math.max(1, run.answers)), "reported"],
    ["table of receipts, bytes a turn", figure(table / run.turns), "reported"],
    ["table of receipts / disk", (table / disk).toFixed(4), "reported"],
  ].map((row) => [results, ...row]);
}

const workload = await StandardWorkload.load(options.workload);
const rows: string[][] = [];
for (const [results, variant] of Object.entries(VARIANTS))
  rows.push(...rowsOf(results, await runTurns(Number(options.turns), variant)));
console.log(`${options.turns} turns, ${figure(budget)} tokens, ${format}\n`);
printTable(["old tool results", "what", "figure", "limit"], rows);
finish();
