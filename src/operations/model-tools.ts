/** The tools for models and their text results, shared by every interface for models. */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import type { Aliases } from "./aliases.ts";
import type { Abilities, ShownTool, Tool, Use } from "./operation.ts";
import type { AnyOperation } from "./registry.ts";
import { isTool, runToolForText, shownInput, shownTool } from "./run-tool.ts";

export interface ModelTool {
  /** `lcm_…` for conversations, `memory_…` for memories. */
  readonly name: string;
  readonly description: string;
  /** Undefined: it only reads. */
  readonly writes: Tool<object, unknown>["writes"];
  readonly input: z.ZodType<object>;
  /** Other names for its arguments. */
  readonly aliases: Aliases;
  /** The tool as shown to models of this engine, with only the options that work there. */
  shownTo(abilities: Abilities): ShownTool;
  /** Returns the text for the model. Errors have advice with tool names. */
  call(engine: Engine, given: object, use?: Pick<Use, "signal">): Promise<string>;
}

/** The operations that have a `tool`. */
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
