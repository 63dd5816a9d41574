/** The content of a file is not what was stored. Says what is wrong with it, and never what is in it. */
import { PalimpsestError } from "../errors.ts";

export function damagedContent(problem: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("store-corrupt", `the content of a file cannot be read: ${problem}`, {
    advice: "List what is damaged with: lcm verify",
    ...(cause === undefined ? {} : { cause }),
  });
}
