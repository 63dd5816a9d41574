/**
 * Limits the calls within a sliding window, for any purpose and outcome. A call becomes
 * possible again when the oldest one leaves the window, so the guard never blocks for longer.
 */
import { PalimpsestError } from "../errors.ts";
import type { Clock } from "../types.ts";
import type { Asked, Call } from "./call.ts";

interface SpendGuardOptions {
  /** Counted together: the guards of all models share one. */
  readonly window: CallWindow;
}

interface CallLimit {
  readonly maxCalls: number;
  readonly windowMs: number;
  readonly clock: Clock;
  /** The setting that raises `maxCalls`. */
  readonly setting: string;
}

export class CallWindow {
  readonly #limit: CallLimit;
  /** Start times of the calls in the current window, oldest first. */
  #starts: number[] = [];

  constructor(limit: CallLimit) {
    this.#limit = limit;
  }

  /** Counts one call, or throws. */
  enter(): void {
    const { maxCalls, windowMs, clock, setting } = this.#limit;
    const now = clock();
    this.#starts = this.#starts.filter((start) => now - start < windowMs);
    const [oldest] = this.#starts;
    if (oldest !== undefined && this.#starts.length >= maxCalls)
      throw tooMany(maxCalls, oldest + windowMs, setting);
    this.#starts.push(now);
  }
}

export function withSpendGuard<Request extends Asked, Result>(
  call: Call<Request, Result>,
  { window }: SpendGuardOptions,
): Call<Request, Result> {
  return async (request) => {
    window.enter();
    return call(request);
  };
}

function tooMany(maxCalls: number, until: number, setting: string): PalimpsestError {
  const time = new Date(until).toISOString();
  return new PalimpsestError(
    "model-limit",
    `the limit of ${maxCalls} model calls is reached; the next call is allowed at ${time}`,
    {
      advice: `Wait, or raise ${setting}.`,
    },
  );
}
