import { PalimpsestError } from "../../errors.ts";

export function stopIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the search was cancelled");
}
