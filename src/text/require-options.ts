/**
 * What callers without types give: an object, and nothing in it that is not known. An option that is misspelt is
 * refused by name, because a call that ignores it does something else than was asked.
 */
import { PalimpsestError } from "../errors.ts";
import { nearName } from "./hints/nearest.ts";

/** A field that is undefined counts as left out. */
export function requireOptions(call: string, known: readonly string[], input: unknown): void {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new PalimpsestError("invalid-input", `${call} needs an object`, {
      advice: `For example: ${call}({ ${known[0]}: … }). Options: ${known.join(", ")}.`,
    });
  const unknown = Object.keys(input).find(
    (name) => !known.includes(name) && Reflect.get(input, name) !== undefined,
  );
  if (unknown === undefined) return;
  const near = nearName(unknown, known);
  throw new PalimpsestError("invalid-input", `${call} has no option ${unknown}`, {
    advice: `${near === undefined ? "" : `Did you mean ${near}? `}Options: ${known.join(", ")}.`,
  });
}
