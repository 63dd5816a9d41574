import { PalimpsestError } from "../errors.ts";

/** Calling again does not help: whoever closed it has to open it again. */
export function storeClosed(): PalimpsestError {
  return new PalimpsestError("store-unavailable", "the store is closed", {
    advice: "Open it again, and close it only after all other calls.",
    isRetryable: false,
  });
}
