/**
 * What a host waits for before each model call, in its own process, at an empty history and at a long one, on SQLite:
 *
 * - AI SDK: `HostBridge.present`. The view is the whole conversation, or the last 200 messages after a summary that the host
 *   wrote. Hashing a whole view of 100,000 messages takes as long as it takes, so that row is reported without a limit.
 * - pi: `HostBridge.catchUp` with the session file, to which one message was added, and `HostBridge.assemble`.
 *
 * Each call brings one message more. A pause after each call represents the model; the event loop is sampled every
 * millisecond through calls and pauses. Calls that waited for a compaction are counted apart and are not in the times.
 * CPU times are of the whole process, and of the caller's thread alone: that is how long a call keeps the event loop from
 * anything else, whatever other processes do. A delay of the loop that is much longer is the machine's.
 *
 *   node bench/host-overhead.ts [--messages 100000] [--calls 300] [--workload <file>]
 */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ModelMessage } from "ai";
import { HostBridge, type HostContext, type HostEntry } from "../src/host/index.ts";
import { BUDGET, fileIn, type LongSession, SESSION, sessionOfPi, sessionOfViews } from "./host-store.ts";
import { instantModel } from "./instant-model.ts";
import { checkLimit, figure, finish, measure, printTable, quantile } from "./measure.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const CALL_LIMIT = { atMost: 20 };
const LOOP_LIMIT = { atMost: 10 };
const WARM_UP_CALLS = 5;
const MODEL_MS = 10;
/** Calls with a view of the whole history: each takes long. */
const SLOW_CALLS = 30;
const SHOWN = 200;
/** The first call of a process reads the whole session file. It is a call of the warm-up. */
const FIRST_READ_MS = 60_000;

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "100000" },
    calls: { type: "string", default: "300" },
    workload: { type: "string", default: WORKLOAD_FILE },
  },
});
const session = { sessionId: SESSION };
const toMessage = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });
const common = {
  budget: BUDGET,
  model: instantModel,
  summary: ({ text }: { readonly text: string }) => toMessage(text),
};

interface Answer {
  readonly context: HostContext<object>;
  /** The part of the time that went into reading the transcript. */
  readonly catchUpMs?: number;
}

interface Path {
  readonly name: string;
  readonly messages: number;
  readonly calls: number;
  readonly hasLimit: boolean;
  readonly bridge: HostBridge;
  /** Adds one message, and asks for the context. */
  call(index: number): Promise<Answer>;
}

type Views = LongSession<HostEntry<ModelMessage>>;

function presentWhole({ folder, history, next }: Views, hasLimit: boolean, calls: number): Path {
  const bridge = openBridge(folder);
  const view = [...history];
  const call = async (index: number) => {
    view.push(...next.slice(index, index + 1));
    return { context: await bridge.present(session, { ...common, view }) };
  };
  return { name: "AI SDK, whole view", messages: history.length, calls, hasLimit, bridge, call };
}

function presentLast({ folder, history, next }: Views, calls: number): Path {
  const bridge = openBridge(folder);
  const summary: HostEntry<ModelMessage> = {
    message: toMessage("Earlier they worked on many things."),
    key: "summary",
    origin: "host",
  };
  const shown = history.slice(-SHOWN);
  const call = async (index: number) => {
    shown.push(...next.slice(index, index + 1));
    const view = [summary, ...shown.slice(-SHOWN)];
    return { context: await bridge.present(session, { ...common, view }) };
  };
  const name = `AI SDK, last ${SHOWN} after a summary`;
  return { name, messages: history.length, calls, hasLimit: true, bridge, call };
}

function catchUpAndAssemble({ folder, history, next }: LongSession<string>, calls: number): Path {
  const bridge = openBridge(folder);
  const file = fileIn(folder);
  const call = async (index: number) => {
    appendFileSync(file, `${next[index]}\n`);
    const { wallMs: catchUpMs } = await measure(async () => {
      if ((await bridge.catchUp(file, { isRunning: true, deadlineMs: FIRST_READ_MS })) === null)
        throw new Error("the session file was not read");
    });
    return { context: await bridge.assemble(session, { ...common, own: [] }), catchUpMs };
  };
  return { name: "pi", messages: history.length - 1, calls, hasLimit: true, bridge, call };
}

function openBridge(folder: string): HostBridge {
  const fail = (details: object) => console.error(details);
  const log = { debug: () => {}, info: () => {}, warn: fail, error: fail };
  // Reading memories out of a history that was never read takes minutes in the background, and is not what is measured.
  return new HostBridge({ store: folder, config: { logLevel: "silent", autoCapture: false }, log });
}

interface Measured {
  readonly wallMs: readonly number[];
  /** Of all threads, which other processes cannot change. */
  readonly cpuMs: readonly number[];
  /** Of the caller's thread. */
  readonly threadMs: readonly number[];
  readonly catchUpMs: readonly number[];
  readonly waited: number;
  readonly loopMs: number;
}

async function measurePath({ calls, call }: Path): Promise<Measured> {
  for (let i = 0; i < WARM_UP_CALLS; i++) await call(i);
  const [wallMs, cpuMs]: [number[], number[]] = [[], []];
  const [threadMs, catchUpMs]: [number[], number[]] = [[], []];
  let waited = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let i = 0; i < calls; i++) {
    const answer = Promise.withResolvers<Answer>();
    const before = process.threadCpuUsage();
    const cost = await measure(async () => answer.resolve(await call(WARM_UP_CALLS + i)));
    const { user, system } = process.threadCpuUsage(before);
    const { context, catchUpMs: read = [] } = await answer.promise;
    // A failed call returns the host's own messages immediately, which would make the figure too good.
    if (context.from === "host") throw new Error("the call fell back to the host's own messages");
    if (context.waited) waited++;
    else {
      wallMs.push(cost.wallMs);
      cpuMs.push(cost.cpuMs);
      threadMs.push((user + system) / 1000);
    }
    catchUpMs.push(...[read].flat());
    await pause(MODEL_MS);
  }
  delay.disable();
  return { wallMs, cpuMs, threadMs, catchUpMs, waited, loopMs: delay.percentile(99.9) / 1e6 };
}

/** The delay of an idle event loop on this machine. */
async function idleLoop(): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pause(2_000);
  delay.disable();
  return delay.percentile(99.9) / 1e6;
}

async function rowOf(path: Path): Promise<string[]> {
  const idle = await idleLoop();
  const { wallMs, cpuMs, threadMs, catchUpMs, waited, loopMs } = await measurePath(path);
  await path.bridge.release();
  console.error(`measured ${path.name} at ${figure(path.messages)} messages`);
  const p95 = quantile(wallMs, 0.95);
  return [
    path.name,
    figure(path.messages),
    `${path.calls}`,
    `${waited}`,
    catchUpMs.length === 0 ? "–" : figure(quantile(catchUpMs, 0.5)),
    figure(quantile(cpuMs, 0.5)),
    figure(quantile(cpuMs, 0.95)),
    figure(quantile(threadMs, 0.5)),
    figure(quantile(threadMs, 0.95)),
    figure(quantile(threadMs, 0.999)),
    figure(quantile(wallMs, 0.5)),
    figure(p95),
    path.hasLimit ? checkLimit(p95, CALL_LIMIT) : "none",
    figure(idle),
    figure(loopMs),
    path.hasLimit ? checkLimit(loopMs, LOOP_LIMIT) : "none",
  ];
}

const workload = await StandardWorkload.load(options.workload);
const [messages, calls] = [Number(options.messages), Number(options.calls)];
const rows = [
  await rowOf(presentWhole(await sessionOfViews(workload, 0), true, calls)),
  await rowOf(presentLast(await sessionOfViews(workload, messages), calls)),
  await rowOf(presentWhole(await sessionOfViews(workload, messages), false, SLOW_CALLS)),
  await rowOf(catchUpAndAssemble(await sessionOfPi(workload, 0), calls)),
  await rowOf(catchUpAndAssemble(await sessionOfPi(workload, messages), calls)),
];
console.log(`before each model call, for ${figure(BUDGET)} tokens; milliseconds\n`);
printTable(
  [
    ...["path", "history", "calls", "waited", "catch-up p50"],
    ...["CPU p50", "CPU p95", "thread CPU p50", "p95", "p99.9", "p50", "p95", "limit"],
    ...["idle loop p99.9", "loop p99.9", "limit"],
  ],
  rows,
);
finish();
