/** What callers give, checked by a schema: what does not fit is refused by name, before anything happens. */
import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { describeMisfits, sentenceOf } from "./describe-misfit.ts";
import { idIn } from "./identifiers.ts";

/** An id as callers give it: also copied with brackets, quotes or spaces around it, or in capitals. */
export const givenId = z.string().min(1).overwrite(idIn);

/** A field that is undefined counts as left out. */
export function parseGiven<Output>(name: string, schema: z.ZodType<Output>, given: unknown): Output {
  if (typeof given !== "object" || given === null)
    throw new PalimpsestError("invalid-input", `${name} needs an object with its input`);
  const input = withoutUndefined(given);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problem = sentenceOf(describeMisfits(parsed.error, input));
  throw new PalimpsestError("invalid-input", `${name}: ${problem}`);
}

/** Most callers leave out what they do not mean, and then nothing is copied. */
function withoutUndefined(given: object): object {
  if (!Object.values(given).includes(undefined)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
