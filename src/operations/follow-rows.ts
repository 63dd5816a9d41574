/** Passes rows on, telling how many there were and stopping when the caller wants it: a load has no other way. */
import { PalimpsestError } from "../errors.ts";
import type { DumpRow } from "../store/store.ts";

const REPORT_EVERY = 1000;

export async function* followRows(
  rows: AsyncIterable<DumpRow>,
  use: { readonly signal?: AbortSignal; readonly onRows?: (rows: number) => void },
): AsyncIterable<DumpRow> {
  let count = 0;
  for await (const row of rows) {
    if (use.signal?.aborted === true)
      throw new PalimpsestError("cancelled", "loading was cancelled; the store is as it was");
    yield row;
    if (++count % REPORT_EVERY === 0) use.onRows?.(count);
  }
}
