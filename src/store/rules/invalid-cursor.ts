import { PalimpsestError } from "../../errors.ts";

export function invalidCursor(cursor: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${JSON.stringify(cursor)} is not a cursor of this list`, {
    advice: "Hand in `next` of the page before, or leave the cursor out to start over.",
  });
}
