/**
 * Retries a call that failed temporarily: overload (429, 529), a broken server (5xx), the network.
 * Waits longer each time, with random jitter, and at least as long as the
 * provider asks. If that is longer than a caller should wait, it fails immediately instead of retrying too early.
 */
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import type { Asked, Call } from "./call.ts";
import { type FailureFacts, factsOf } from "./model-failure.ts";
import { cancelled, refuseCancelled, type Wait } from "./wait.ts";

interface RetryOptions {
  /** Calls after the first one. */
  readonly retries: number;
  readonly wait: Wait;
  /** A number from 0 to 1. */
  readonly chance: () => number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

export function withRetries<Request extends Asked, Result>(
  call: Call<Request, Result>,
  options: RetryOptions,
): Call<Request, Result> {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(request);
      } catch (error) {
        const facts = factsOf(error);
        const delay = facts === null ? null : delayBefore(attempt, facts, options);
        if (delay === null) throw afterAttempts(error, attempt + 1);
        await pause(delay, options.wait, request.signal);
      }
    }
  };
}

/** Null: do not try again. */
function delayBefore(attempt: number, facts: FailureFacts, options: RetryOptions): number | null {
  if (!facts.temporary || attempt >= options.retries) return null;
  const asked = facts.retryAfterMs ?? 0;
  if (asked > LONGEST_DELAY_MS) return null;
  const longest = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
  return Math.max(asked, Math.round(longest * (0.5 + options.chance() / 2)));
}

async function pause(delay: number, wait: Wait, signal: AbortSignal | undefined): Promise<void> {
  refuseCancelled(signal);
  try {
    await wait(delay, signal);
  } catch (error) {
    throw signal?.aborted === true ? cancelled() : error;
  }
}

function afterAttempts(error: unknown, attempts: number): unknown {
  if (attempts === 1 || !isPalimpsestError(error, "model-unavailable")) return error;
  const { message, advice, cause } = error;
  return new PalimpsestError("model-unavailable", `${message} (after ${attempts} attempts)`, {
    ...(advice === undefined ? {} : { advice }),
    cause,
  });
}
