/**
 * Allows so many calls within any stretch of time, whatever they are for and however they end. A call becomes
 * possible again as soon as the oldest one is a window ago, so that the guard can never block for longer.
 */
import { PalimpsestError } from "../errors.ts";
import type { Clock } from "../types.ts";
import type { Complete } from "./complete.ts";

export interface SpendGuardOptions {
  /** Counted together: the guards of all models share one. */
  readonly window: CallWindow;
}

export class CallWindow {
  readonly #limit: { readonly maxCalls: number; readonly windowMs: number; readonly clock: Clock };
  /** When the calls of the current window began, oldest first. */
  #starts: number[] = [];

  constructor(limit: { readonly maxCalls: number; readonly windowMs: number; readonly clock: Clock }) {
    this.#limit = limit;
  }

  /** Counts one call, or refuses it. */
  enter(): void {
    const { maxCalls, windowMs, clock } = this.#limit;
    const now = clock();
    this.#starts = this.#starts.filter((start) => now - start < windowMs);
    const [oldest] = this.#starts;
    if (oldest !== undefined && this.#starts.length >= maxCalls) throw tooMany(maxCalls, oldest + windowMs);
    this.#starts.push(now);
  }
}

export function withSpendGuard(complete: Complete, { window }: SpendGuardOptions): Complete {
  return async (request) => {
    window.enter();
    return complete(request);
  };
}

function tooMany(maxCalls: number, until: number): PalimpsestError {
  const time = new Date(until).toISOString();
  return new PalimpsestError("model-limit", `${maxCalls} calls to models were made; the next is at ${time}`, {
    advice: "Wait, or raise summaryMaxCallsPerWindow.",
  });
}
