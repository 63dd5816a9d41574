/** One call of a tool: runs the operation, and gives the text that the model reads, also when it is refused. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { runTool, type ToolOperation } from "../operations/run-tool.ts";
import { explainError } from "./explain-error.ts";
import type { OpenEngine } from "./open-once.ts";
import { progressReporter } from "./report-progress.ts";

export interface Call {
  /** The arguments as they came. */
  readonly given: object;
  readonly context: ServerContext;
  readonly structured: boolean;
}

export async function callTool(
  operation: ToolOperation,
  open: OpenEngine,
  { given, context, structured }: Call,
): Promise<CallToolResult> {
  try {
    const { signal } = context.mcpReq;
    const onProgress = progressReporter(context.mcpReq);
    const use = onProgress === undefined ? { signal } : { signal, onProgress };
    const { output, text } = await runTool(operation, await open(), given, use);
    return { content: [{ type: "text", text }], ...(structured ? { structuredContent: output } : {}) };
  } catch (error) {
    return { content: [{ type: "text", text: explainError(error, operation) }], isError: true };
  }
}
