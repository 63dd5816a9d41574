/**
 * Errors of an operation name the fields of its input: a first field after the operation's name, and any field in
 * `backticks`, alone or with a value. At the command line they are arguments and flags with names of their own.
 */
import { PalimpsestError } from "../errors.ts";
import type { AnyOperation } from "../operations/registry.ts";
import { inFlags, typedName } from "./in-flags.ts";
import type { Typed } from "./typed.ts";

/** `memory-store: factKey must not be empty` → `memory store: --key must not be empty`. */
export function inTypedNames(
  error: unknown,
  { name, command }: Pick<AnyOperation, "name" | "command">,
  { words, parameters }: Pick<Typed, "words" | "parameters">,
): unknown {
  if (!(error instanceof PalimpsestError) || error.code !== "invalid-input") return error;
  const fields = parameters.filter(({ of }) => of === "input");
  const translated = (text: string) => inFlags(text, fields, command.also);
  const { message, advice, retryable, cause } = error;
  const named = message.replace(
    new RegExp(`^${name}: (\\w+)`),
    (_, field: string) => `${words}: ${typedName(field, fields) ?? field}`,
  );
  return new PalimpsestError(error.code, translated(named), {
    ...(advice === undefined ? {} : { advice: translated(advice) }),
    isRetryable: retryable,
    cause,
  });
}
