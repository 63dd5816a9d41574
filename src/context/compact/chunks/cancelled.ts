import { PalimpsestError } from "../../../errors.ts";
import { unlessCancelled as unless } from "../../../threads/unless-cancelled.ts";

export function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "the compaction was cancelled");
}

/** What is waited for, or `cancelled` as soon as the signal says so. Nobody waits for the rest then. */
export function unlessCancelled<Result>(
  waited: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  return unless(waited, signal, cancelled);
}
