/** What models may call, and the text that they read: the same for every face that serves models. */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import type { Aliases } from "./aliases.ts";
import type { Abilities, ShownTool, Tool, Use } from "./operation.ts";
import type { AnyOperation } from "./registry.ts";
import { isTool, runToolForText, shownInput, shownTool } from "./run-tool.ts";

export interface ModelTool {
  /** `lcm_…` for what was said, `memory_…` for what is worth keeping. */
  readonly name: string;
  readonly description: string;
  /** Undefined: it only reads. */
  readonly writes: Tool<object, unknown>["writes"];
  readonly input: z.ZodType<object>;
  /** Other names for what it takes. */
  readonly aliases: Aliases;
  /** What this engine's models are shown: only what works there is offered. */
  shownTo(abilities: Abilities): ShownTool;
  /** Gives the text that the model reads. A refusal is thrown with advice in the model's own words. */
  call(engine: Engine, given: object, use?: Pick<Use, "signal">): Promise<string>;
}

/** Those of the operations that have a `tool`. */
export function modelTools(operations: readonly AnyOperation[]): readonly ModelTool[] {
  return operations.flatMap(toolOf);
}

function toolOf(operation: AnyOperation): ModelTool[] {
  if (!isTool(operation)) return [];
  const { tool } = operation;
  const { name, description, writes, aliases = {} } = tool;
  const call: ModelTool["call"] = (engine, given, use = {}) => runToolForText(operation, engine, given, use);
  const shownTo: ModelTool["shownTo"] = (abilities) => shownTool(operation, abilities);
  return [{ name, description, writes, input: shownInput(operation), aliases, shownTo, call }];
}
