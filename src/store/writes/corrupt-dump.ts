import { PalimpsestError } from "../../errors.ts";

export function corruptDump(message: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("store-corrupt", message, {
    advice: "The export was changed or cut. Make it again; nothing was written.",
    cause,
  });
}
