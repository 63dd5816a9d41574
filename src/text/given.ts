/** What callers give, checked by a schema: what does not fit is refused by name, before anything happens. */
import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { describeMisfits, sentenceOf } from "./describe-misfit.ts";
import { nearName } from "./hints/nearest.ts";
import { idIn } from "./identifiers.ts";

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

/**
 * Refuses what is not an object, and options that are not known by their names: a call that ignores a misspelt one does
 * something else than was asked. A field that is undefined counts as left out.
 */
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
