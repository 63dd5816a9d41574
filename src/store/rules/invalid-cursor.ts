import { PalimpsestError } from "../../errors.ts";

export function invalidCursor(cursor: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${JSON.stringify(cursor)} is not a cursor of this list`, {
    advice: "Pass `next` from the previous page, or omit the cursor to start over.",
  });
}
