/** Ends a call as soon as its signal is aborted, also when the function below does not listen or says it its own way. */
import type { Complete } from "./complete.ts";
import { cancelled, refuseCancelled } from "./wait.ts";

export function withCancellation(complete: Complete): Complete {
  return async (request) => {
    const { signal } = request;
    if (signal === undefined) return complete(request);
    refuseCancelled(signal);
    const settled = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(cancelled()), { signal: settled.signal });
    });
    try {
      return await Promise.race([complete(request), aborted]);
    } catch (error) {
      throw signal.aborted ? cancelled() : error;
    } finally {
      // A caller's signal may live as long as the process.
      settled.abort();
    }
  };
}
