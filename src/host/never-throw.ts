/** No call into us throws into a host or outlives its deadline: the host continues as it would without us. */
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";

export interface Guard {
  /** The name of the call, for the log. */
  readonly what: string;
  readonly deadlineMs: number;
  readonly log: Log;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of `run`, or `fallback` when it fails or takes too long; it is then aborted. */
export async function orElse<Result>(
  fallback: Result,
  { what, deadlineMs, log, signal }: Guard,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const stop = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_, reject) => {
    timer = setTimeout(() => late.abort(new Error(`it took longer than ${deadlineMs} ms`)), deadlineMs);
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
  try {
    return await Promise.race([run(stop), stopped]);
  } catch (error) {
    log.warn({ what, problem: messageOf(error) }, "the host continues without Palimpsest");
    return fallback;
  } finally {
    clearTimeout(timer);
    stopped.catch(() => {});
  }
}
