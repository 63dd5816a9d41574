/** Runs an operation on input from outside: what does not fit its schema is refused by name, before anything happens. */
import { PalimpsestError } from "../errors.ts";
import { describeMisfits, sentenceOf } from "../text/describe-misfit.ts";
import type { Operation, Use } from "./operation.ts";

export function runOperation<Input, Output, Progress, On>(
  operation: Operation<Input, Output, Progress, On>,
  on: On,
  input: object,
  use: Use<Progress> = {},
): Promise<Output> {
  return operation.run(on, parseInput(operation, input), use);
}

/** A field that is undefined counts as left out. */
export function parseInput<Input, Output, Progress, On>(
  operation: Operation<Input, Output, Progress, On>,
  input: object,
): Input {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const parsed = operation.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const problem = sentenceOf(describeMisfits(parsed.error, given));
  throw new PalimpsestError("invalid-input", `${operation.name}: ${problem}`);
}
