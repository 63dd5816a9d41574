/** What callers give, checked by a schema: what does not fit is refused by name, before anything happens. */
import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { describeMisfits, sentenceOf } from "./describe-misfit.ts";
import { idIn } from "./identifiers.ts";
import { requireOptions } from "./require-options.ts";

/** An id as callers give it: also copied with brackets, quotes or spaces around it, or in capitals. */
export const givenId = z.string().min(1).overwrite(idIn);

/** A callback, or another function of the caller. */
export const givenFunction = z.custom<(...given: never) => unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

export const givenSignal = z.custom<AbortSignal>(
  (value) => typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value,
  "must be an AbortSignal",
);

/** What most calls take beside their data. */
export const whileRunning = {
  signal: givenSignal.exactOptional(),
  onProgress: givenFunction.exactOptional(),
};

/** The input of a library call. An unknown option is refused before anything else, with those that there are. */
export function requireGiven<Output>(
  call: string,
  schema: z.ZodType<Output> & { readonly shape: object },
  given: unknown,
): Output {
  requireOptions(call, Object.keys(schema.shape), given);
  return parseGiven(call, schema, given);
}

export function requireList(call: string, what: string, given: unknown): void {
  if (!Array.isArray(given)) throw new PalimpsestError("invalid-input", `${call}: ${what} must be a list`);
}

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
