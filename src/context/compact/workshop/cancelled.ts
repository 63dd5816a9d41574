import { PalimpsestError } from "../../../errors.ts";

export function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "the compaction was cancelled");
}

/** What is waited for, or `cancelled` as soon as the signal says so. Nobody waits for the rest then. */
export function unlessCancelled<Result>(
  waited: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return waited;
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const stop = () => reject(cancelled());
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  waited.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  return promise;
}
