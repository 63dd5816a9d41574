/**
 * A thread that is ended while native code runs in it takes the whole process down. Whoever ends the process shuts this
 * gate first: nothing goes in any more, and what is in is waited for, which takes as long as one text.
 */
export type RunGate = Int32Array<SharedArrayBuffer>;

const [RUNNING, SHUT] = [0, 1];

export function newGate(): RunGate {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Does what runs native code; from the thread in which it runs. */
export async function through<Result>(gate: RunGate, run: () => Promise<Result>): Promise<Result> {
  Atomics.add(gate, RUNNING, 1);
  try {
    if (Atomics.load(gate, SHUT) === 1) throw new Error("the process is ending");
    return await run();
  } finally {
    Atomics.sub(gate, RUNNING, 1);
    Atomics.notify(gate, RUNNING);
  }
}

/** Blocks until nothing runs; from any other thread. For the end of a process, when nobody can wait otherwise. */
export function shut(gate: RunGate, mostMilliseconds: number): void {
  Atomics.store(gate, SHUT, 1);
  for (let running = Atomics.load(gate, RUNNING); running > 0; running = Atomics.load(gate, RUNNING))
    if (Atomics.wait(gate, RUNNING, running, mostMilliseconds) === "timed-out") return;
}
