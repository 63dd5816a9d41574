/** Runs a task within the limits of time, caller and grant, and reports how it ended. The task may ignore its signal. */
import type { Grant } from "./grants.ts";

export type RunEnd<Result> =
  | { readonly type: "answered"; readonly result: Result }
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "timeout" | "cancelled" | "expired" | "revoked" };

interface RunBounds {
  readonly timeoutMs: number;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly grant: Grant;
  /** Aborted with an error that is rethrown here. */
  readonly failed: AbortSignal;
  readonly signal: AbortSignal | undefined;
}

export async function runWithin<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, wait, grant, failed, signal: caller }: RunBounds,
): Promise<RunEnd<Result>> {
  const settled = new AbortController();
  const late = new AbortController();
  wait(timeoutMs, settled.signal).then(
    () => late.abort(),
    // The run was already settled.
    () => {},
  );
  const stop = AbortSignal.any([
    late.signal,
    failed,
    grant.revoked,
    ...(caller === undefined ? [] : [caller]),
  ]);
  try {
    const end = await Promise.race([ended(run(stop)), stopped(stop, settled.signal)]);
    if (failed.aborted) throw failed.reason;
    if (caller?.aborted === true) return { type: "cancelled" };
    if (late.signal.aborted) return { type: "timeout" };
    return grant.state === "active" ? (end ?? { type: "cancelled" }) : { type: grant.state };
  } finally {
    settled.abort();
  }
}

async function ended<Result>(run: Promise<Result>): Promise<RunEnd<Result>> {
  try {
    return { type: "answered", result: await run };
  } catch (error) {
    return { type: "failed", error };
  }
}

function stopped(stop: AbortSignal, settled: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener("abort", () => resolve(null), { signal: settled });
  });
}
