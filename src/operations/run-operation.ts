/** Runs an operation on external input: invalid fields are rejected by name, before anything happens. */
import { parseGiven } from "../text/given.ts";
import type { Operation, Use } from "./operation.ts";

export function runOperation<Input, Output, Progress, On>(
  operation: Operation<Input, Output, Progress, On>,
  on: On,
  input: object,
  use: Use<Progress> = {},
): Promise<Output> {
  return operation.run(on, parseInput(operation, input), use);
}

export function parseInput<Input, Output, Progress, On>(
  { name, input: schema }: Operation<Input, Output, Progress, On>,
  input: object,
): Input {
  return parseGiven(name, schema, input);
}
