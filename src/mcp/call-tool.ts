/** One call of a tool: runs the operation, and gives the text that the model reads, also when it is refused. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { runTool, type ToolOperation } from "../operations/run-tool.ts";
import { connectionOf } from "./connection.ts";
import { explainError } from "./explain-error.ts";
import type { OpenEngine } from "./open-once.ts";
import { progressReporter } from "./report-progress.ts";

export interface ToolOptions {
  /** Answers also come as JSON. */
  readonly structured: boolean;
  /** The connection that the server was made for, where it was made for one. */
  readonly connection: string;
}

interface Call {
  /** The arguments as they came. */
  readonly given: object;
  readonly context: ServerContext;
  readonly options: ToolOptions;
}

export async function callTool(
  operation: ToolOperation,
  open: OpenEngine,
  { given, context, options }: Call,
): Promise<CallToolResult> {
  try {
    const { signal } = context.mcpReq;
    const onProgress = progressReporter(context.mcpReq);
    const origin = connectionOf(context.http?.req) ?? options.connection;
    const use = { signal, origin, ...(onProgress === undefined ? {} : { onProgress }) };
    const { output, text } = await runTool(
      operation,
      await open({ makesStore: operation.makesStore === true }),
      given,
      use,
    );
    return {
      content: [{ type: "text", text }],
      ...(options.structured ? { structuredContent: output } : {}),
    };
  } catch (error) {
    return { content: [{ type: "text", text: await explainError(error, operation) }], isError: true };
  }
}
