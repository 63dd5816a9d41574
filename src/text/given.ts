/** Validates the input of callers with a schema: invalid fields are rejected by name, before anything happens. */
import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { describeMisfits, sentenceOf } from "./describe-misfit.ts";
import { nearName } from "./hints/nearest.ts";
import { idIn } from "./identifiers.ts";

/** An id as input: also accepted with brackets, quotes or spaces around it, or in capitals. */
export const givenId = z.string().min(1).overwrite(idIn);

/** A name for people, which would not be visible in a list if it were blank. */
export const shownName = z.string().trim().min(1);

/** A callback, or another function of the caller. */
export const givenFunction = z.custom<(...given: never) => unknown>(
  (value) => typeof value === "function",
  "must be a function",
);

export const givenSignal = z.custom<AbortSignal>(
  (value) => typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value,
  "must be an AbortSignal",
);

/** Options that most calls accept. */
export const whileRunning = {
  signal: givenSignal.exactOptional(),
  onProgress: givenFunction.exactOptional(),
};

/** The input of a library call. An unknown option is rejected first, with a list of the known ones. */
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

/** A field that is undefined counts as omitted. */
export function parseGiven<Output>(name: string, schema: z.ZodType<Output>, given: unknown): Output {
  if (typeof given !== "object" || given === null)
    throw new PalimpsestError("invalid-input", `${name} needs an object with its input`);
  const input = withoutUndefined(given);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problem = sentenceOf(describeMisfits(parsed.error, input));
  throw new PalimpsestError("invalid-input", `${name}: ${problem}${nameMeant(parsed.error, schema)}`);
}

function nameMeant({ issues }: z.ZodError, schema: z.ZodType): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  const [near] = unknown.flatMap((name) => nearName(name, known) ?? []);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** Copies only if a field is undefined, which is rare. */
function withoutUndefined(given: object): object {
  if (!Object.values(given).includes(undefined)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/**
 * Rejects input that is not an object, and unknown options by name: a call that ignores a misspelt option does
 * not do what the caller wants. A field that is undefined counts as omitted.
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
