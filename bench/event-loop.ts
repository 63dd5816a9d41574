/**
 * How long the calling thread's event loop is held up while sessions commit, while a large conversation is read,
 * and while a transcript is imported. The delay is sampled every millisecond. A peer is measured just before: a
 * loop that is busy half of the time, a quarter of a millisecond at a time, and sees what the machine does to any
 * busy thread. Its delay is taken off. The thread's own work between two samples is measured too, in CPU time (in
 * steps of 4 ms on most kernels), which no other process can change. The worse of the two counts, in the best of
 * several rounds, because noise only ever adds.
 *
 *   node bench/event-loop.ts [--messages 10000] [--rounds 3] [--in-flight 256] [--workload <file>]
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { open } from "../src/engine.ts";
import {
  checkLimit,
  DISK,
  figure,
  finish,
  inFlight,
  printTable,
  quantile,
  temporaryFolder,
} from "./measure.ts";
import { StandardWorkload, type Turn, WORKLOAD_FILE } from "./standard-workload.ts";

const LIMIT = { atMost: 10 };
const PEER_MS = 1_000;
const PEER_WORK_MS = 0.25;

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
    "in-flight": { type: "string", default: "256" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});
const messageCount = Number(options.messages);
const flight = Number(options["in-flight"]);
const workload = await StandardWorkload.load(options.workload);
const turns = [...workload.turns({ messages: messageCount })];
const folder = temporaryFolder(DISK);
const engine = await open({ store: folder, background: "off" });
/** The same with everything that starts by itself. */
const compacting = await open({ store: path.join(folder, "compacting") });

interface Load {
  readonly name: string;
  run(round: number): Promise<unknown>;
}

const LOADS: readonly Load[] = [
  {
    name: "one session, turn by turn",
    run: (round) =>
      inFlight(
        turns,
        1,
        commitTo(() => `alone-${round}`),
      ),
  },
  {
    name: "turn by turn, compacting in the background",
    run: (round) =>
      inFlight(turns, 1, ({ key, messages }) =>
        compacting.context.commitTurn({ conversation: `compacting-${round}`, key, messages }),
      ),
  },
  {
    name: `one session, ${flight} turns in flight`,
    run: (round) =>
      inFlight(
        turns,
        flight,
        commitTo(() => `one-${round}`),
      ),
  },
  {
    name: `64 sessions, ${flight} turns in flight`,
    run: (round) =>
      inFlight(
        turns,
        flight,
        commitTo((turn) => `many-${round}-${turn % 64}`),
      ),
  },
  { name: "reading a large conversation", run: (round) => readAll(`one-${round}`) },
  {
    name: "importing a transcript",
    run: (round) => engine.context.conversations.import(transcriptFile(round)),
  },
];

function commitTo(sessionOf: (turn: number) => string): (turn: Turn) => Promise<unknown> {
  let next = 0;
  return ({ key, messages }) => engine.context.commitTurn({ conversation: sessionOf(next++), key, messages });
}

async function readAll(conversation: string): Promise<void> {
  for (let from: number | null = 1; from !== null; )
    from = (await engine.context.read({ conversation, from })).next;
}

function transcriptFile(round: number): string {
  return path.join(folder, `transcript-${round}.jsonl`);
}

function writeTranscript(round: number): void {
  const lines = [...workload.transcriptLines(`transcript-${round}`, { messages: messageCount })];
  writeFileSync(transcriptFile(round), `${lines.join("\n")}\n`);
}

interface Delay {
  readonly p99: number;
  readonly max: number;
  /** 99th percentile of the CPU time that this thread used between two samples. */
  readonly ownWork: number;
}

async function delayDuring(run: () => Promise<unknown>): Promise<Delay> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const work = sampleOwnWork();
  delay.enable();
  await run();
  delay.disable();
  return { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, ownWork: quantile(work.stop(), 0.99) };
}

function sampleOwnWork(): { stop(): number[] } {
  const samples: number[] = [];
  let before = process.threadCpuUsage();
  const sample = () => {
    const now = process.threadCpuUsage();
    samples.push((now.user + now.system - before.user - before.system) / 1000);
    before = now;
  };
  const timer = setInterval(sample, 1);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return samples;
    },
  };
}

/** Busy half of the time, and never for long. */
async function runPeer(): Promise<void> {
  for (const end = performance.now() + PEER_MS; performance.now() < end; ) {
    const pause = performance.now() + PEER_WORK_MS;
    while (performance.now() < pause) await nextTurn();
    const work = performance.now() + PEER_WORK_MS;
    while (performance.now() < work);
  }
}

interface Measured {
  readonly peer: number;
  readonly delay: Delay;
}

async function measureLoad(load: Load, round: number): Promise<Measured> {
  const { p99: peer } = await delayDuring(runPeer);
  return { peer, delay: await delayDuring(() => load.run(round)) };
}

function row(name: string, rounds: readonly Measured[]): string[] {
  const peer = Math.min(...rounds.map((round) => round.peer));
  const p99 = Math.min(...rounds.map((round) => round.delay.p99));
  const max = Math.min(...rounds.map((round) => round.delay.max));
  const ownWork = Math.min(...rounds.map((round) => round.delay.ownWork));
  const added = Math.max(0, p99 - peer);
  const counts = Math.max(added, ownWork);
  return [name, ...[peer, p99, max, added, ownWork].map(figure), checkLimit(counts, LIMIT)];
}

const measured = new Map<string, Measured[]>(LOADS.map(({ name }) => [name, []]));
for (let round = 0; round < Number(options.rounds); round++) {
  writeTranscript(round);
  for (const load of LOADS) measured.get(load.name)?.push(await measureLoad(load, round));
}
await engine.close();
await compacting.close();

console.log(
  `${messageCount} messages in ${turns.length} turns, on disk; milliseconds, best of ${options.rounds}\n`,
);
printTable(
  ["load", "peer p99", "p99", "max", "added p99", "own work p99", "limit"],
  [...measured].map(([name, rounds]) => row(name, rounds)),
);
finish();
