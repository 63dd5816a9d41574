/**
 * Reading one message by its id, anywhere in a store of ten thousand messages and in one of a million. Reads of
 * the two stores take turns. The stores are made through the store's contract and kept in the system's temporary
 * folder, so that only the first run has to make the large one.
 *
 *   node bench/read-by-id.ts [--small 10000] [--large 1000000] [--reads 4000] [--rounds 5] [--workload <file>]
 */
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { messageId } from "../src/text/identifiers.ts";
import { builtStore } from "./built-store.ts";
import { checkLimit, finish } from "./check-limits.ts";
import { median, quantile } from "./measure.ts";
import { figure, printTable } from "./print-table.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const LIMIT = { atMost: 1.5 };
const WARM_UP_READS = 500;

const { values: options } = parseArgs({
  options: {
    small: { type: "string", default: "10000" },
    large: { type: "string", default: "1000000" },
    reads: { type: "string", default: "4000" },
    rounds: { type: "string", default: "5" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});

interface Subject {
  readonly messages: number;
  readonly engine: Engine;
  readonly conversation: string;
  readonly p50: number[];
  readonly p95: number[];
}

async function openSubject(messages: number, workload: StandardWorkload): Promise<Subject> {
  const engine = await open({ store: await builtStore(messages, workload) });
  const { conversations } = await engine.context.conversations();
  const conversation = conversations[0];
  if (conversation === undefined) throw new Error("the store that was built is empty");
  return { messages, engine, conversation: conversation.id, p50: [], p95: [] };
}

async function readRandomly(subject: Subject, reads: number): Promise<number[]> {
  const microseconds: number[] = [];
  for (let i = 0; i < reads; i++) {
    const seq = 1 + Math.floor(Math.random() * subject.messages);
    const start = performance.now();
    await subject.engine.context.readMessage(messageId(subject.conversation, seq));
    microseconds.push((performance.now() - start) * 1000);
  }
  return microseconds;
}

async function measureRound(subject: Subject): Promise<void> {
  const microseconds = await readRandomly(subject, Number(options.reads));
  subject.p50.push(median(microseconds));
  subject.p95.push(quantile(microseconds, 0.95));
}

const workload = await StandardWorkload.load(options.workload);
const small = await openSubject(Number(options.small), workload);
const large = await openSubject(Number(options.large), workload);
for (const subject of [small, large]) await readRandomly(subject, WARM_UP_READS);
for (let round = 0; round < Number(options.rounds); round++) {
  for (const subject of round % 2 === 0 ? [small, large] : [large, small]) await measureRound(subject);
}
for (const { engine } of [small, large]) await engine.close();

function row(name: string, of: (subject: Subject) => number[]): string[] {
  const ratios = of(large).map((value, round) => value / (of(small)[round] ?? Number.NaN));
  const spread = `${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))}`;
  const figures = [median(of(small)), median(of(large)), median(ratios)].map(figure);
  return [name, ...figures, spread, checkLimit(median(ratios), LIMIT)];
}

console.log(`random messages by id, ${options.rounds} rounds of ${options.reads} reads; microseconds\n`);
printTable(
  [
    "",
    `${figure(small.messages)} messages`,
    `${figure(large.messages)} messages`,
    "ratio",
    "spread",
    "limit",
  ],
  [row("p50", (subject) => subject.p50), row("p95", (subject) => subject.p95)],
);
finish();
