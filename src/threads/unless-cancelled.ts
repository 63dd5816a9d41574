/** Resolves with the result, or fails as soon as the signal aborts. The result is ignored then. */
export function unlessCancelled<Result>(
  waited: Promise<Result>,
  signal: AbortSignal | undefined,
  cancelled: () => Error,
): Promise<Result> {
  if (signal === undefined) return waited;
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const stop = () => reject(cancelled());
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  waited.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  return promise;
}
