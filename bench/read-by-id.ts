/**
 * Reading one message by its id, anywhere in a store of ten thousand messages and in one of a million. Reads of
 * the two stores take turns, one by one, so that noise hits both alike. The stores are made through the store's contract and kept in the system's temporary
 * folder, so that only the first run has to make the large one.
 *
 *   node bench/read-by-id.ts [--small 10000] [--large 1000000] [--reads 4000] [--rounds 5] [--workload <file>]
 */
import { createReadStream } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { requireMessage } from "../src/context/read/read-messages.ts";
import { type Engine, internalsOf, open } from "../src/engine.ts";
import { DATABASE_NAME } from "../src/store/sqlite/index.ts";
import { messageId } from "../src/text/identifiers.ts";
import { builtStore } from "./built-store.ts";
import { checkLimit, figure, finish, median, printTable, quantile } from "./measure.ts";
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
  /** Microseconds of each read of the round. */
  reads: number[];
}

async function openSubject(messages: number, workload: StandardWorkload): Promise<Subject> {
  const folder = await builtStore(messages, workload);
  await readThrough(path.join(folder, DATABASE_NAME));
  const engine = await open({ store: folder });
  const { conversations } = await engine.context.conversations.list();
  const conversation = conversations[0];
  if (conversation === undefined) throw new Error("the store that was built is empty");
  return { messages, engine, conversation: conversation.id, reads: [] };
}

/** Afterwards the system holds the file in memory: what is measured is the store, not how cold the disk is. */
async function readThrough(file: string): Promise<void> {
  for await (const _chunk of createReadStream(file, { highWaterMark: 1 << 20 }));
}

async function readRandomly(subject: Subject): Promise<void> {
  const id = messageId(subject.conversation, 1 + Math.floor(Math.random() * subject.messages));
  const start = performance.now();
  await requireMessage(internalsOf(subject.engine).conversations, id);
  subject.reads.push((performance.now() - start) * 1000);
}

interface Round {
  readonly small: number;
  readonly large: number;
  readonly ratio: number;
}

async function runRound(reads: number): Promise<{ p50: Round; p95: Round }> {
  for (const subject of [small, large]) subject.reads = [];
  for (let i = 0; i < reads; i++) for (const subject of [small, large]) await readRandomly(subject);
  return { p50: compareAt(0.5), p95: compareAt(0.95) };
}

function compareAt(share: number): Round {
  const [atSmall, atLarge] = [quantile(small.reads, share), quantile(large.reads, share)];
  return { small: atSmall, large: atLarge, ratio: atLarge / atSmall };
}

function row(name: string, rounds: readonly Round[]): string[] {
  const ratios = rounds.map((round) => round.ratio);
  const figures = [
    median(rounds.map((round) => round.small)),
    median(rounds.map((round) => round.large)),
    median(ratios),
  ].map(figure);
  const spread = `${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))}`;
  return [name, ...figures, spread, checkLimit(median(ratios), LIMIT)];
}

const workload = await StandardWorkload.load(options.workload);
const small = await openSubject(Number(options.small), workload);
const large = await openSubject(Number(options.large), workload);
await runRound(WARM_UP_READS);
const rounds = [];
for (let round = 0; round < Number(options.rounds); round++)
  rounds.push(await runRound(Number(options.reads)));
for (const { engine } of [small, large]) await engine.close();

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
  [
    row(
      "p50",
      rounds.map((round) => round.p50),
    ),
    row(
      "p95",
      rounds.map((round) => round.p95),
    ),
  ],
);
finish();
