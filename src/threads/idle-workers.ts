/**
 * Workers that an engine no longer needs, kept briefly for the next engine in the process: starting a worker and loading its
 * code takes 40 ms of CPU time, and loading the embedder half a second. An idle worker does not keep a process alive.
 */
import type { Worker } from "node:worker_threads";

const IDLE_MS = 3_000;
const MOST_OF_A_KIND = 2;

interface IdleWorker {
  readonly worker: Worker;
  /** Removes it from the idle workers. */
  forget(): void;
}

const idleWorkers = new Map<string, IdleWorker[]>();

export function takeIdleWorker(kind: string): Worker | undefined {
  const idle = idleWorkers.get(kind)?.at(-1);
  idle?.forget();
  return idle?.worker;
}

/** For callers that count workers. */
export async function endIdleWorkers(): Promise<void> {
  const all = [...idleWorkers.values()].flat();
  for (const { forget } of all) forget();
  await Promise.all(all.map(({ worker }) => worker.terminate()));
}

/** The caller has removed its listeners and left no state in the worker. */
export function keepIdleWorker(kind: string, worker: Worker): void {
  const kept = idleWorkers.get(kind) ?? [];
  if (kept.length >= MOST_OF_A_KIND) {
    void worker.terminate();
    return;
  }
  idleWorkers.set(kind, kept);
  const forget = () => {
    clearTimeout(timer);
    worker.off("error", forget).off("exit", forget);
    kept.splice(kept.indexOf(idle), 1);
  };
  const timer = setTimeout(() => {
    forget();
    void worker.terminate();
  }, IDLE_MS);
  const idle: IdleWorker = { worker, forget };
  timer.unref();
  worker.unref();
  worker.once("error", forget).once("exit", forget);
  kept.push(idle);
}
