/** Every operation that models may call, as a tool: described by its schemas, checked and run by the operation. */
import type { McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { OPERATIONS } from "../operations/index.ts";
import type { Abilities } from "../operations/operation.ts";
import { isTool, shownTool, type ToolOperation } from "../operations/run-tool.ts";
import { callTool, type ToolOptions } from "./call-tool.ts";
import type { OpenEngine } from "./open-once.ts";

export function addTools(server: McpServer, open: OpenEngine, { allows, ...options }: OfferedTools): void {
  for (const operation of OPERATIONS)
    if (isTool(operation) && allows(operation)) addTool(server, operation, open, options);
}

interface OfferedTools extends ToolOptions {
  readonly abilities: Abilities;
  readonly allows: (operation: ToolOperation) => boolean;
}

export function addTool(
  server: McpServer,
  operation: ToolOperation,
  open: OpenEngine,
  { abilities = { searchesByMeaning: false }, ...options }: ToolOptions & { readonly abilities?: Abilities },
): void {
  const { name } = operation.tool;
  const { description, input } = shownTool(operation, abilities);
  const title = titleOf(name);
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: describedBy(input),
      ...(options.structured ? { outputSchema: operation.output } : {}),
      annotations: { title, ...hintsOf(operation), openWorldHint: false },
    },
    (given, context) => callTool(operation, open, { given: Object(given), context, options }),
  );
}

/** The client sees the operation's schema; the operation itself checks, and says more about what is wrong. */
function describedBy({ "~standard": standard }: z.ZodType): StandardSchemaWithJSON {
  return { "~standard": { ...standard, validate: (value: unknown) => ({ value }) } };
}

/** By them hosts decide whether to ask a person first. */
function hintsOf({ tool: { writes } }: ToolOperation) {
  return writes === undefined
    ? { readOnlyHint: true }
    : { readOnlyHint: false, destructiveHint: writes === "erases" };
}

/** `lcm_expand_query` → `Expand query`, `memory_store` → `Memory store`. */
function titleOf(name: string): string {
  const words = name.replace(/^lcm_/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
