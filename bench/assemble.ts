/**
 * Assembling what the model sees, in conversations of a thousand to a million messages, in two states: compacted, as
 * a sweep leaves it; and a backlog that is not compacted, so that the window is full of raw messages. Calls take
 * turns, one by one, so that noise hits all sizes alike. The stores are made through the store's contract and kept in
 * the system's temporary folder. PostgreSQL is filled anew in each run, with fewer sizes.
 *
 *   node bench/assemble.ts [--messages 1000,10000,100000,1000000] [--postgres-messages 1000,10000,100000]
 *     [--budget 128000] [--format original] [--calls 40] [--rounds 5] [--workload <file>] [--no-postgres]
 */
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import type { DumpRow } from "../src/store/store.ts";
import { builtStore } from "./built-store.ts";
import { foldedStore } from "./folded-store.ts";
import { formatOption } from "./format-option.ts";
import { checkLimit, figure, finish, measure, median, printTable, quantile } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const GROWTH_LIMIT = { atMost: 1.5 };
const ASSEMBLE_MS = { SQLite: 5, PostgreSQL: 15 } as const;
const EVALUATE_MS = 1;
const WARM_UP_CALLS = 20;

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    messages: { type: "string", default: "1000,10000,100000,1000000" },
    "postgres-messages": { type: "string", default: "1000,10000,100000" },
    budget: { type: "string", default: "128000" },
    format: { type: "string", default: "original" },
    calls: { type: "string", default: "40" },
    rounds: { type: "string", default: "5" },
    workload: { type: "string", default: WORKLOAD_FILE },
    postgres: { type: "boolean", default: true },
  },
});
const budget = Number(options.budget);
const format = formatOption(options.format);

const STATES = { compacted: foldedStore, backlog: builtStore } as const;
type State = keyof typeof STATES;

interface Subject {
  readonly store: keyof typeof ASSEMBLE_MS;
  readonly state: State;
  readonly messages: number;
  readonly engine: Engine;
  readonly conversation: string;
}

const sizesIn = (list: string) => list.split(",").map(Number);

async function openSqliteSubjects(state: State, workload: StandardWorkload): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const messages of sizesIn(options.messages)) {
    const folder = await STATES[state](messages, workload);
    const engine = await open({ store: folder, background: "off" });
    const { conversations } = await engine.context.conversations.list();
    const [conversation] = conversations;
    if (conversation === undefined) throw new Error("the store that was built is empty");
    subjects.push({ store: "SQLite", state, messages, engine, conversation: conversation.id });
  }
  return subjects;
}

async function openPostgresSubjects(
  engine: Engine,
  state: State,
  workload: StandardWorkload,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const messages of sizesIn(options["postgres-messages"])) {
    const sessionId = `${state}-${messages}`;
    const source = await openSqliteStore({ dataDir: await STATES[state](messages, workload) });
    await engine.store.load(renamed(source.dump(), sessionId), { replace: false });
    await source.close();
    const { id } = await engine.context.conversations.get(sessionId);
    subjects.push({ store: "PostgreSQL", state, messages, engine, conversation: id });
  }
  return subjects;
}

/** Each built store has one conversation of the same session. This store combines them. */
async function* renamed(rows: AsyncIterable<DumpRow>, sessionId: string): AsyncIterable<DumpRow> {
  for await (const row of rows) yield row.row === "conversation" ? { ...row, sessionId } : row;
}

interface Calls {
  readonly assemble: number[];
  /** CPU of all threads while assembling: what other processes cannot change. */
  readonly cpu: number[];
  readonly evaluate: number[];
}

async function callOnce({ engine, conversation }: Subject, calls: Calls): Promise<void> {
  const { wallMs, cpuMs } = await measure(() => engine.context.assemble({ conversation, budget, format }));
  calls.assemble.push(wallMs);
  calls.cpu.push(cpuMs);
  calls.evaluate.push((await measure(() => engine.context.evaluate({ conversation, budget }))).wallMs);
}

async function runRound(subjects: readonly Subject[], count: number): Promise<Calls[]> {
  const all = subjects.map((): Calls => ({ assemble: [], cpu: [], evaluate: [] }));
  for (let i = 0; i < count; i++)
    for (const [index, subject] of subjects.entries())
      await callOnce(subject, all[index] ?? { assemble: [], cpu: [], evaluate: [] });
  return all;
}

/** For each round, for each subject. */
type Rounds = readonly (readonly Calls[])[];

async function runRounds(subjects: readonly Subject[]): Promise<Rounds> {
  await runRound(subjects, WARM_UP_CALLS);
  const rounds: Calls[][] = [];
  for (let round = 0; round < Number(options.rounds); round++)
    rounds.push(await runRound(subjects, Number(options.calls)));
  return rounds;
}

const over = (rounds: Rounds, index: number, name: keyof Calls, share: number) =>
  rounds.map((round) => quantile(round[index]?.[name] ?? [], share));

async function callRow(subject: Subject, rounds: Rounds, index: number): Promise<string[]> {
  const { engine, conversation } = subject;
  const { items, tokens, leftOut } = await engine.context.assemble({ conversation, budget, format });
  const [p50, p95] = [0.5, 0.95].map((share) => median(over(rounds, index, "assemble", share))) as [
    number,
    number,
  ];
  const cpu = median(over(rounds, index, "cpu", 0.5));
  const evaluate = median(over(rounds, index, "evaluate", 0.5));
  const most = ASSEMBLE_MS[subject.store];
  return [
    subject.store,
    subject.state,
    figure(subject.messages),
    ...[items.length, tokens, leftOut, cpu, p50, p95, p50 / most].map(figure),
    `${most} ms ${checkLimit(p50 / most, { atMost: 1 })}`,
    figure(evaluate / EVALUATE_MS),
    `${EVALUATE_MS} ms ${checkLimit(evaluate / EVALUATE_MS, { atMost: 1 })}`,
  ];
}

/** A backlog that fits the budget is not a full window, and is left out. */
function growthRow(subjects: readonly Subject[], rounds: Rounds, isFull: readonly boolean[]): string[] {
  const full = subjects.flatMap((subject, index) => (isFull[index] ? [{ subject, index }] : []));
  const [small, large] = [full[0], full.at(-1)];
  if (small === undefined || large === undefined || small === large) return [];
  const largest = over(rounds, large.index, "assemble", 0.5);
  const ratios = over(rounds, small.index, "assemble", 0.5).map((p50, round) => (largest[round] ?? 0) / p50);
  const sizes = `${figure(large.subject.messages)} / ${figure(small.subject.messages)}`;
  const spread = `${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))}`;
  const { store, state } = small.subject;
  return [store, state, sizes, figure(median(ratios)), spread, checkLimit(median(ratios), GROWTH_LIMIT)];
}

async function fillsWindow({ engine, conversation, state }: Subject): Promise<boolean> {
  const { tokens } = await engine.context.evaluate({ conversation, budget });
  return state === "compacted" || tokens > budget;
}

const callRows: string[][] = [];
const growthRows: string[][] = [];

async function measureAll(subjects: readonly Subject[]): Promise<void> {
  const rounds = await runRounds(subjects);
  for (const [index, subject] of subjects.entries()) callRows.push(await callRow(subject, rounds, index));
  const growth = growthRow(subjects, rounds, await Promise.all(subjects.map(fillsWindow)));
  if (growth.length > 0) growthRows.push(growth);
}

const workload = await StandardWorkload.load(options.workload);
for (const state of Object.keys(STATES) as State[]) {
  const subjects = await openSqliteSubjects(state, workload);
  await measureAll(subjects);
  for (const { engine } of subjects) await engine.close();
}
for (const state of options.postgres ? (Object.keys(STATES) as State[]) : []) {
  // The backlog and the compacted history are one conversation in two states, so each has its own server.
  const postgres = await openPostgres({ background: "off" });
  if ("missing" in postgres) console.log(`PostgreSQL was not measured: ${postgres.missing}`);
  else {
    await measureAll(await openPostgresSubjects(postgres.engine, state, workload));
    await postgres.close();
  }
}

console.log(
  `assemble for ${figure(budget)} tokens, ${format}; ${options.rounds} rounds of ${options.calls} calls; milliseconds\n`,
);
const calls = [
  "store",
  "state",
  "messages",
  "items",
  "tokens",
  "left out",
  "CPU p50",
  "p50",
  "p95",
  "p50 / limit",
  "limit",
];
printTable([...calls, "evaluate / limit", "limit"], callRows);
console.log();
printTable(["store", "state", "messages", "p50 ratio", "spread", "limit"], growthRows);
finish();
