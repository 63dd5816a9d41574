/** Limits the time of a call, even if the wrapped function ignores its signal. */
import type { Asked, Call } from "./call.ts";
import { unavailable } from "./model-failure.ts";
import { cancelled, refuseCancelled, type Wait } from "./wait.ts";

interface TimeoutOptions {
  readonly model: string;
  readonly timeoutMs: number;
  /** The setting that raises it. Default: `summaryTimeoutMs`. */
  readonly setting?: string;
  readonly wait: Wait;
}

/** Created once, since capturing its stack takes longer than all other overhead of a call. */
const OVER = new DOMException("the call has ended", "AbortError");

/** Not retried by `withRetries`: after a timeout, another model is called. */
export function withTimeout<Request extends Asked, Result>(
  call: Call<Request, Result>,
  options: TimeoutOptions,
): Call<Request, Result> {
  return async (request) => {
    refuseCancelled(request.signal);
    const settled = new AbortController();
    try {
      return await Promise.race([
        call(withSignal(request, settled.signal)),
        tooLate(options, settled.signal),
        cancellation(request.signal, settled.signal),
      ]);
    } finally {
      // Stops the timer after an answer, and the call after everything else.
      settled.abort(OVER);
    }
  };
}

function withSignal<Request extends Asked>(request: Request, signal: AbortSignal): Request {
  return { ...request, signal: request.signal ? AbortSignal.any([signal, request.signal]) : signal };
}

async function tooLate(options: TimeoutOptions, signal: AbortSignal): Promise<never> {
  const { model, timeoutMs, setting = "summaryTimeoutMs", wait } = options;
  await wait(timeoutMs, signal);
  throw unavailable(
    `${model} did not answer within ${timeoutMs / 1000} s`,
    { status: null, temporary: false, retryAfterMs: null, isTooLate: true },
    `Try again later, choose a faster model, or raise ${setting}.`,
  );
}

/** Stops listening once the call is settled: a caller's signal may live as long as the process. */
function cancellation(signal: AbortSignal | undefined, settled: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(cancelled()), { signal: settled });
  });
}
