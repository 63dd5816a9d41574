/** A `Complete` without a model, for tests of what is put around one; and a clock that only tests move. */
import { PalimpsestError } from "../src/errors.ts";
import type { Complete, CompletionRequest, CompletionResult } from "../src/model/complete.ts";
import { unavailable } from "../src/model/model-failure.ts";
import type { Wait } from "../src/model/wait.ts";

export const REQUEST: CompletionRequest = {
  purpose: "summary",
  system: "Summarise.",
  prompt: "A long conversation.",
  maxTokens: 100,
};

export const ANSWER: CompletionResult = {
  text: "a summary",
  model: "ollama/test",
  finish: "stop",
  usage: { inputTokens: 5, outputTokens: 3, cost: null },
};

export const refusedKey = () => new PalimpsestError("model-authentication", "refused the key");
export const outOfReach = (retryAfterMs: number | null = null) =>
  unavailable("out of reach", { status: 503, temporary: true, retryAfterMs }, "wait");
export const noSuchModel = () =>
  unavailable("no such model", { status: 404, temporary: false, retryAfterMs: null }, "choose another");

/** Answers, or throws, one step after the other; the last one stays. */
export function scriptedComplete(...steps: readonly [unknown, ...unknown[]]) {
  const calls: CompletionRequest[] = [];
  const complete: Complete = async (request) => {
    const step = steps[Math.min(calls.push(request), steps.length) - 1];
    if (step instanceof Error) throw step;
    return ANSWER;
  };
  return { complete, calls };
}

/** Time that passes only when somebody waits, or when the test says so. */
export function fakeTime(start = Date.parse("2026-01-01T00:00:00Z")) {
  const time = { now: start, waits: [] as number[] };
  const wait: Wait = async (milliseconds, signal) => {
    signal?.throwIfAborted();
    time.waits.push(milliseconds);
    time.now += milliseconds;
  };
  return { clock: () => time.now, wait, waits: time.waits, pass: (ms: number) => (time.now += ms) };
}

/** `answer`, or the code of what was thrown. */
export async function outcomeOf(promise: Promise<CompletionResult>): Promise<string> {
  try {
    await promise;
    return "answer";
  } catch (error) {
    return error instanceof PalimpsestError ? error.code : String(error);
  }
}
