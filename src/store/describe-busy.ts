import { PalimpsestError } from "../errors.ts";

export function cannotDescribe(file: string): PalimpsestError {
  return new PalimpsestError("busy", `${file} cannot be described: its message changed meanwhile`, {
    advice: "Nothing was written.",
  });
}
