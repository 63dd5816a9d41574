/** Runs an operation on external input: invalid fields are rejected by name, before anything happens. */
import type { Engine } from "../engine.ts";
import { parseGiven } from "../text/given.ts";
import type { Operation, Use } from "./operation.ts";
import type { Setup } from "./setup.ts";
import { withWholeIds } from "./short-ids.ts";

export async function runOperation<Input, Output, Progress, On extends Engine | Setup>(
  operation: Operation<Input, Output, Progress, On>,
  on: On,
  input: object,
  use: Use<Progress> = {},
): Promise<Output> {
  return operation.run(on, await parseInputOn(operation, on, input), use);
}

/** Also resolves short ids, which needs an engine. */
export async function parseInputOn<Input, Output, Progress, On extends Engine | Setup>(
  operation: Operation<Input, Output, Progress, On>,
  on: On,
  input: object,
): Promise<Input> {
  return parseInput(operation, await withWholeIds(operation, on, input));
}

export function parseInput<Input, Output, Progress, On>(
  { name, input: schema }: Operation<Input, Output, Progress, On>,
  input: object,
): Input {
  return parseGiven(name, schema, input);
}
