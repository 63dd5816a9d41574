/** The tools of a sub-agent: operations that read, run on an engine for which only the grant's conversations exist. */
import { z } from "zod";
import type { Engine } from "../engine.ts";
import type { AgentTool } from "../model/agent.ts";
import type { Operation } from "./operation.ts";
import { isTool, runToolForText, shownTool } from "./run-tool.ts";

/** Named one by one: a new tool is not handed on by accident, and the one that starts sub-agents never is. */
const ALLOWED: ReadonlySet<string> = new Set([
  "lcm_grep",
  "lcm_describe",
  "lcm_expand",
  "lcm_read",
  "lcm_recent",
]);

export function delegatedTools(
  operations: readonly Operation<object, unknown, unknown>[],
  engine: Engine,
  signal: AbortSignal,
): readonly AgentTool[] {
  return operations.flatMap((operation) => {
    if (!isTool(operation) || !ALLOWED.has(operation.tool.name)) return [];
    const run = (input: unknown) => runToolForText(operation, engine, Object(input), { signal });
    const { description, input } = shownTool(operation, engine);
    return [{ name: operation.tool.name, description, input: z.toJSONSchema(input, { io: "input" }), run }];
  });
}
