import { PalimpsestError } from "../../errors.ts";

export function corruptDump(message: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("store-corrupt", message, {
    advice: "The export was changed or truncated. Export again; nothing was written.",
    cause,
  });
}
