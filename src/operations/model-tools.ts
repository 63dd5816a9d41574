/** What models may call, and the text that they read: the same for every face that serves models. */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import type { Aliases } from "./aliases.ts";
import { describe } from "./describe.ts";
import { expand } from "./expand.ts";
import { expandQuery } from "./expand-query.ts";
import { grep } from "./grep.ts";
import type { Operation, Use } from "./operation.ts";
import { read } from "./read.ts";
import { recent } from "./recent.ts";
import { isTool, runToolForText } from "./run-tool.ts";

export interface ModelTool {
  /** `lcm_…` */
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<object>;
  /** Other names for what it takes. */
  readonly aliases: Aliases;
  /** Gives the text that the model reads. A refusal is thrown with advice in the model's own words. */
  call(engine: Engine, given: object, use?: Pick<Use, "signal">): Promise<string>;
}

/** Every operation that has a `tool`, in the order in which a model would use them. */
export const MODEL_TOOLS: readonly ModelTool[] = [
  ...toolOf(grep),
  ...toolOf(recent),
  ...toolOf(describe),
  ...toolOf(expand),
  ...toolOf(read),
  ...toolOf(expandQuery),
];

function toolOf<Input extends object, Output, Progress>(
  operation: Operation<Input, Output, Progress>,
): ModelTool[] {
  if (!isTool(operation)) return [];
  const { tool, input } = operation;
  const { name, description, aliases = {} } = tool;
  const call: ModelTool["call"] = (engine, given, use = {}) => runToolForText(operation, engine, given, use);
  return [{ name, description, input, aliases, call }];
}
