/**
 * A host whose hooks call a tool of a running server (Claude Code: `mcp_tool`) gets its answers here, without a process
 * for each event. The tool is not listed, so that no model sees it.
 */
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { OPERATIONS } from "../operations/index.ts";
import { isTool } from "../operations/run-tool.ts";
import { callTool, type ToolOptions } from "./call-tool.ts";
import type { OpenEngine } from "./open-once.ts";

const HOOK_TOOL = "hook";

/** What the host is to read; empty when there is nothing to say. */
export type RunHook = (given: unknown) => Promise<string>;

export function addHook(server: McpServer, run: RunHook, open: OpenEngine, options: ToolOptions): void {
  const tools = new Map(OPERATIONS.filter(isTool).map((operation) => [operation.tool.name, operation]));
  server.server.setRequestHandler("tools/call", async ({ params }, context): Promise<CallToolResult> => {
    const { name, arguments: given = {} } = params;
    if (name === HOOK_TOOL) return { content: [{ type: "text", text: await run(given) }] };
    const operation = tools.get(name);
    if (operation !== undefined) return callTool(operation, open, { given, context, options });
    return { content: [{ type: "text", text: `there is no tool ${name}` }], isError: true };
  });
}
