/** One call of a tool: runs the operation, and gives the text that the model reads, also when it is refused. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { runOperation } from "../operations/run-operation.ts";
import type { ToolOperation } from "./add-tools.ts";
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
    const input = { ...operation.tool.defaults, ...given };
    const output = await runOperation(operation, await open(), input, use);
    const text = operation.tool.text(output, operation.input.parse(input));
    return { content: [{ type: "text", text }], ...(structured ? { structuredContent: output } : {}) };
  } catch (error) {
    return { content: [{ type: "text", text: explainError(error, operation) }], isError: true };
  }
}
