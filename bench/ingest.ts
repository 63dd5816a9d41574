/**
 * Ingest against a hand-written loop, on the standard workload: turn by turn, many turns in flight, and a whole
 * transcript. Engine and loop take turns, so that a busy machine slows down both; a figure is the median of the
 * rounds' ratios (loop / engine: 1 is as fast as the loop), with the lowest and highest beside it.
 *
 *   node bench/ingest.ts [--messages 4000] [--rounds 9] [--in-flight 256] [--workload <file>] [--no-postgres]
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { DATABASE_NAME } from "../src/store/sqlite/index.ts";
import { compareStores } from "./compare-stores.ts";
import { HandWrittenLoop } from "./hand-written-loop.ts";
import {
  type Cost,
  checkLimit,
  figure,
  finish,
  inFlight,
  type Limit,
  measure,
  median,
  type Place,
  places,
  printTable,
  temporaryFolder,
} from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { StandardWorkload, type Turn, WORKLOAD_FILE } from "./standard-workload.ts";

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "4000" },
    rounds: { type: "string", default: "9" },
    "in-flight": { type: "string", default: "256" },
    workload: { type: "string", default: WORKLOAD_FILE },
    "no-postgres": { type: "boolean", default: false },
  },
});
const messageCount = Number(options.messages);
const rounds = Number(options.rounds);
const flight = Number(options["in-flight"]);
const workload = await StandardWorkload.load(options.workload);
const turns = [...workload.turns({ messages: messageCount })];

/** One way to take the workload in, by the engine and by the loop. */
interface Way {
  readonly name: string;
  readonly limit: Limit;
  prepare(folder: string, session: string): void;
  engine(engine: Engine, folder: string, session: string): Promise<unknown>;
  loop(loop: HandWrittenLoop, folder: string, session: string): void;
}

const WAYS: readonly Way[] = [
  {
    name: "turn by turn",
    limit: { atLeast: 0.5 },
    prepare: () => {},
    engine: async (engine, _folder, session) => {
      for (const turn of turns) await commit(engine, session, turn);
    },
    loop: (loop, _folder, session) => {
      for (const turn of turns) loop.commitTurn(session, turn);
    },
  },
  {
    name: "turns in flight",
    limit: { atLeast: 0.6 },
    prepare: () => {},
    engine: (engine, _folder, session) => inFlight(turns, flight, (turn) => commit(engine, session, turn)),
    loop: (loop, _folder, session) => {
      for (let i = 0; i < turns.length; i += flight) loop.commitTurns(session, turns.slice(i, i + flight));
    },
  },
  {
    name: "transcript",
    limit: { atLeast: 0.6 },
    prepare: (folder, session) => {
      const lines = [...workload.transcriptLines(session, { messages: messageCount })];
      writeFileSync(transcriptFile(folder, session), `${lines.join("\n")}\n`);
    },
    engine: (engine, folder, session) => engine.context.conversations.import(transcriptFile(folder, session)),
    loop: (loop, folder, session) => loop.importTranscript(transcriptFile(folder, session)),
  },
];

function commit(engine: Engine, session: string, { key, messages }: Turn): Promise<unknown> {
  return engine.context.commitTurn({ conversation: session, key, messages });
}

function transcriptFile(folder: string, session: string): string {
  return path.join(folder, `${session}.jsonl`);
}

interface Pair {
  readonly engine: Cost;
  readonly loop: Cost;
}

/** Both keep messages whole, so that they do the same work; or the engine keeps long results apart, as it does by default. */
async function compare(place: Place, isApart: boolean): Promise<string[][]> {
  const folder = temporaryFolder(place);
  const config = isApart ? {} : { toolOutputStubBytes: Number.MAX_SAFE_INTEGER };
  const engine = await open({ store: folder, background: "off", config });
  const loopFile = path.join(folder, "loop.db");
  const loop = new HandWrittenLoop(loopFile, (await engine.store.info()).durability);
  const rows: string[][] = [];
  for (const way of WAYS) {
    const pairs: Pair[] = [];
    for (let round = 0; round <= rounds; round++) {
      const pair = await runPair(way, engine, loop, folder, round);
      // The first round warms both up.
      if (round > 0) pairs.push(pair);
    }
    rows.push(summarise(way, place, pairs, isApart));
  }
  loop.close();
  await engine.close();
  if (!isApart) compareStores(path.join(folder, DATABASE_NAME), loopFile);
  return rows;
}

async function runPair(
  way: Way,
  engine: Engine,
  loop: HandWrittenLoop,
  folder: string,
  round: number,
): Promise<Pair> {
  const session = `${way.name.replaceAll(" ", "-")}-${round}`;
  way.prepare(folder, session);
  const runEngine = () => measure(() => way.engine(engine, folder, session));
  const runLoop = () => measure(() => way.loop(loop, folder, session));
  if (round % 2 === 0) return { engine: await runEngine(), loop: await runLoop() };
  const first = await runLoop();
  return { engine: await runEngine(), loop: first };
}

function summarise(way: Way, place: Place, pairs: readonly Pair[], isApart: boolean): string[] {
  const wall = pairs.map(({ engine, loop }) => loop.wallMs / engine.wallMs);
  const cpu = pairs.map(({ engine, loop }) => loop.cpuMs / engine.cpuMs);
  return [
    isApart ? `${way.name}, long results apart` : way.name,
    place.name,
    figure(rate(pairs.map((pair) => pair.engine.wallMs))),
    figure(rate(pairs.map((pair) => pair.loop.wallMs))),
    figure(median(wall)),
    `${figure(Math.min(...wall))}–${figure(Math.max(...wall))}`,
    figure(median(cpu)),
    isApart ? "" : checkLimit(median(wall), way.limit),
  ];
}

function rate(wallMs: readonly number[]): number {
  return (messageCount / median(wallMs)) * 1000;
}

async function reportPostgres(): Promise<void> {
  const postgres = await openPostgres();
  if ("missing" in postgres) {
    console.log(`\nPostgreSQL was not measured: ${postgres.missing}`);
    return;
  }
  const folder = temporaryFolder(places()[0] as Place);
  const rows: string[][] = [];
  for (const way of WAYS) {
    const costs: number[] = [];
    for (let round = 0; round < 4; round++) {
      const session = `${way.name.replaceAll(" ", "-")}-${round}`;
      way.prepare(folder, session);
      const { wallMs } = await measure(() => way.engine(postgres.engine, folder, session));
      if (round > 0) costs.push(wallMs);
    }
    rows.push([way.name, figure(rate(costs))]);
  }
  await postgres.close();
  console.log("\nPostgreSQL, on disk, for information:\n");
  printTable(["way", "engine msg/s"], rows);
}

console.log(
  `${messageCount} messages in ${turns.length} turns, ${rounds} rounds, ${flight} turns in flight\n`,
);
const table: string[][] = [];
for (const place of places())
  for (const isApart of [false, true]) table.push(...(await compare(place, isApart)));
printTable(
  [
    "way",
    "place",
    "engine msg/s",
    "loop msg/s",
    "wall loop/engine",
    "spread",
    "CPU loop/engine",
    "limit (wall)",
  ],
  table,
);
if (!options["no-postgres"]) await reportPostgres();
finish();
