/** Passes on the rows of a load, reports how many there were, and stops when the caller cancels. */
import { PalimpsestError } from "../errors.ts";
import type { DumpRow, LoadOptions } from "./store.ts";

const REPORT_EVERY = 1000;

export async function* followRows(
  rows: AsyncIterable<DumpRow>,
  { signal, onProgress }: Pick<LoadOptions, "signal" | "onProgress">,
): AsyncIterable<DumpRow> {
  let count = 0;
  for await (const row of rows) {
    stopIfAborted(signal);
    yield row;
    if (++count % REPORT_EVERY === 0) onProgress?.({ rows: count });
  }
  stopIfAborted(signal);
  onProgress?.({ rows: count });
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new PalimpsestError("cancelled", "loading was cancelled; the store was not changed");
}
