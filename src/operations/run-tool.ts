/** An operation as models call it: with the tool's own defaults, and with the text that the model reads. */
import type { Engine } from "../engine.ts";
import type { Operation, Tool, Use } from "./operation.ts";
import { parseInput } from "./run-operation.ts";

export interface ToolOperation<Input = object, Output = unknown, Progress = unknown>
  extends Operation<Input, Output, Progress> {
  readonly tool: Tool<Input, Output>;
}

export function isTool<Input, Output, Progress>(
  operation: Operation<Input, Output, Progress>,
): operation is ToolOperation<Input, Output, Progress> {
  return operation.tool !== undefined;
}

export async function runTool<Input, Output, Progress>(
  operation: ToolOperation<Input, Output, Progress>,
  engine: Engine,
  given: object,
  use: Use<Progress> = {},
): Promise<{ readonly output: Output; readonly text: string }> {
  const input = parseInput(operation, { ...operation.tool.defaults, ...given });
  const output = await operation.run(engine, input, use);
  return { output, text: operation.tool.text(output, input) };
}

/** Advice names commands; a model has tools of the same names. */
export function adviceForModels(advice: string): string {
  return advice.replaceAll(COMMANDS, (_, command: string) => `lcm_${command.replaceAll("-", "_")}`);
}

const COMMANDS = /\blcm (grep|recent|describe|expand-query|expand|read)\b/g;
