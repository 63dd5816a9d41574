/** What models may call, and the text that they read: the same for every face that serves models. */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import type { Aliases } from "./aliases.ts";
import { explainRecall } from "./memory/memory-explain.ts";
import { queryFacts } from "./memory/memory-fact-query.ts";
import { forgetMemory } from "./memory/memory-forget.ts";
import { listMemories } from "./memory/memory-list.ts";
import { recallMemories } from "./memory/memory-recall.ts";
import { memoryStats } from "./memory/memory-stats.ts";
import { storeMemory } from "./memory/memory-store.ts";
import { updateMemory } from "./memory/memory-update.ts";
import type { Abilities, Operation, ShownTool, Tool, Use } from "./operation.ts";
import { describe } from "./retrieve/describe.ts";
import { expand } from "./retrieve/expand.ts";
import { expandQuery } from "./retrieve/expand-query.ts";
import { grep } from "./retrieve/grep.ts";
import { read } from "./retrieve/read.ts";
import { recent } from "./retrieve/recent.ts";
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

/** Every operation that has a `tool`, in the order in which a model would use them. */
export const MODEL_TOOLS: readonly ModelTool[] = [
  ...toolOf(grep),
  ...toolOf(recent),
  ...toolOf(describe),
  ...toolOf(expand),
  ...toolOf(read),
  ...toolOf(expandQuery),
  ...toolOf(recallMemories),
  ...toolOf(storeMemory),
  ...toolOf(updateMemory),
  ...toolOf(forgetMemory),
  ...toolOf(listMemories),
  ...toolOf(queryFacts),
  ...toolOf(memoryStats),
  ...toolOf(explainRecall),
];

function toolOf<Input extends object, Output, Progress>(
  operation: Operation<Input, Output, Progress>,
): ModelTool[] {
  if (!isTool(operation)) return [];
  const { tool } = operation;
  const { name, description, writes, aliases = {} } = tool;
  const call: ModelTool["call"] = (engine, given, use = {}) => runToolForText(operation, engine, given, use);
  const shownTo: ModelTool["shownTo"] = (abilities) => shownTool(operation, abilities);
  return [{ name, description, writes, input: shownInput(operation), aliases, shownTo, call }];
}
