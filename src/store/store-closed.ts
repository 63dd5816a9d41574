import { PalimpsestError } from "../errors.ts";

/** Calling again does not help: whoever closed it has to open it again. */
export function storeClosed(): PalimpsestError {
  return new PalimpsestError("store-unavailable", "this store has been closed", {
    advice: "Open it again, and close it only when nothing is left to be done.",
    isRetryable: false,
  });
}
