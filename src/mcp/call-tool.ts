/** One tool call: runs the operation, and returns text for the model, also for errors. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { runTool, type ToolOperation } from "../operations/run-tool.ts";
import { countedIn } from "../text/counted.ts";
import { connectionOf } from "./connection.ts";
import { explainError } from "./explain-error.ts";
import type { OpenEngine } from "./open-once.ts";

export interface ToolOptions {
  /** Also returns results as JSON. */
  readonly structured: boolean;
  /** The connection of the server, if it serves only one. */
  readonly connection: string;
}

interface Call {
  /** The arguments as received. */
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

/** Minimum time between two progress notifications to a client that requested them. */
const PAUSE_MS = 100;

/** Undefined if the client did not request progress. */
function progressReporter({
  _meta,
  notify,
}: ServerContext["mcpReq"]): ((progress: unknown) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let found = 0;
  let told = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (step) => {
    const { done, unit } = readStep(step) ?? { done: ++found, unit: "found" };
    // The protocol requires increasing numbers.
    if (done <= told || performance.now() - toldAt < PAUSE_MS) return;
    told = done;
    toldAt = performance.now();
    const params = { progressToken, progress: done, message: countedIn(done, unit) };
    // The client may have disconnected; the call itself is then cancelled.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** Null for a hit, which has no number. */
function readStep(step: unknown): { readonly done: number; readonly unit: string } | null {
  if (typeof step !== "object" || step === null || !("done" in step) || typeof step.done !== "number")
    return null;
  return { done: step.done, unit: "unit" in step && typeof step.unit === "string" ? step.unit : "done" };
}
