/** The tools of a sub-agent: operations that read, run on an engine for which only the grant's conversations exist. */
import { z } from "zod";
import type { Engine } from "../engine.ts";
import type { AgentTool } from "../model/agent.ts";
import { OPERATIONS } from "./index.ts";
import { isTool, runToolForText, shownTool } from "./run-tool.ts";

export function delegatedTools(engine: Engine, signal: AbortSignal): readonly AgentTool[] {
  return OPERATIONS.flatMap((operation) => {
    if (!isTool(operation) || operation.tool.isDelegated !== true) return [];
    const run = (input: unknown) => runToolForText(operation, engine, Object(input), { signal });
    const { description, input } = shownTool(operation, engine);
    return [{ name: operation.tool.name, description, input: z.toJSONSchema(input, { io: "input" }), run }];
  });
}
