import { PalimpsestError } from "../errors.ts";

/** What both engines answer to the second who wants to compact a conversation. */
export function compactionBusy(advice = "Try again later; nothing was written."): PalimpsestError {
  return new PalimpsestError("busy", "another process is compacting this conversation", { advice });
}
