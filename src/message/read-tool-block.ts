/**
 * Tool calls and tool results that are blocks inside a message: Anthropic, AI SDK (model and UI
 * messages) and pi. A call needs its id and its name, a result the id of its call.
 */
import type { Part } from "../types.ts";
import { type Block, isBlock, otherPart, type ReadBlock, requireText, textOf } from "./block.ts";
import { dataText, readToolOutput, type ToolOutput } from "./read-tool-output.ts";
import { callPart, donePart, resultParts, saysFailed } from "./tool-part.ts";

const CALL_ID = "the id of the tool call as a string";
const TOOL_NAME = "the name of the tool as a string";

export const TOOL_BLOCKS: ReadonlyMap<string, ReadBlock> = new Map<string, ReadBlock>([
  ["tool-call", unlessInterfaceTool(readModelCall)],
  ["tool-result", unlessInterfaceTool(readModelResult)],
  ["toolCall", readPiCall],
  ["dynamic-tool", (block) => readInterfaceTool(block, requireText(block, "toolName", TOOL_NAME))],
  ["tool-invocation", readInvocation],
]);

/** Types that include a tool name: `web_search_tool_result`, `mcp_tool_use`, `tool-weather`. */
export function toolReaderFor(type: string): ReadBlock | undefined {
  if (type.endsWith("tool_use")) return readToolUse;
  if (type.endsWith("tool_result")) return readToolResult;
  if (type.startsWith("tool-approval-")) return unlessInterfaceTool((block) => [otherPart(block)]);
  if (!type.startsWith("tool-")) return undefined;
  return (block) => readInterfaceTool(block, type.slice("tool-".length));
}

/** In a UI message `tool-result` is the part of a tool named `result`; such parts have a state. */
function unlessInterfaceTool(read: ReadBlock): ReadBlock {
  return (block) =>
    typeof block.state === "string"
      ? readInterfaceTool(block, String(block.type).slice("tool-".length))
      : read(block);
}

function readToolUse(block: Block): readonly Part[] {
  const name = requireText(block, "name", TOOL_NAME);
  return [callPart(requireText(block, "id", CALL_ID), name, block.input)];
}

function readToolResult(block: Block): readonly Part[] {
  const callId = requireText(block, "tool_use_id", CALL_ID);
  const failed = saysFailed(block) || isErrorContent(block.content);
  return resultParts(callId, serverToolName(block), readToolOutput(block.content), failed);
}

/** Results of Anthropic's server tools: the type contains the name. */
function serverToolName(block: Block): string | null {
  const name = String(block.type).replace(/_?tool_result$/, "");
  return name === "" || name === "mcp" ? null : name;
}

/** Server tools report an error as a content block: `web_search_tool_result_error`. */
function isErrorContent(content: unknown): boolean {
  return isBlock(content) && typeof content.type === "string" && content.type.endsWith("_tool_result_error");
}

/** `args` is the input in AI SDK 4. */
function readModelCall(block: Block): readonly Part[] {
  const name = requireText(block, "toolName", TOOL_NAME);
  return [callPart(requireText(block, "toolCallId", CALL_ID), name, block.input ?? block.args)];
}

function readModelResult(block: Block): readonly Part[] {
  const callId = requireText(block, "toolCallId", CALL_ID);
  const kind = isBlock(block.output) ? textOf(block.output.type) : null;
  const failed = saysFailed(block) || kind?.startsWith("error-") === true || kind === "execution-denied";
  return resultParts(callId, textOf(block.toolName), readModelOutput(block, kind), failed);
}

/** AI SDK 5 and later declare the kind of output; AI SDK 4 has a bare `result`. */
function readModelOutput(block: Block, kind: string | null): ToolOutput {
  if (!isBlock(block.output) || kind === null)
    return { text: dataText(block.output ?? block.result), files: [] };
  if (kind === "content") return readToolOutput(block.output.value);
  return { text: dataText(block.output.value ?? block.output.reason), files: [] };
}

function readPiCall(block: Block): readonly Part[] {
  const name = requireText(block, "name", TOOL_NAME);
  return [callPart(requireText(block, "id", CALL_ID), name, block.arguments)];
}

/** A tool in a UI message: call and result share one part, and `state` is its progress. */
function readInterfaceTool(block: Block, name: string): readonly Part[] {
  const callId = requireText(block, "toolCallId", CALL_ID);
  const input = block.input ?? block.rawInput;
  if (block.state === "output-available")
    return [donePart(callId, name, input, dataText(block.output), false)];
  if (block.state === "output-error") return [donePart(callId, name, input, dataText(block.errorText), true)];
  if (block.state === "output-denied") return [donePart(callId, name, input, denial(block), true)];
  return [callPart(callId, name, input)];
}

function denial(block: Block): string {
  return (isBlock(block.approval) ? textOf(block.approval.reason) : null) ?? "";
}

/** The form of AI SDK 4. */
function readInvocation(block: Block): readonly Part[] {
  const call = isBlock(block.toolInvocation) ? block.toolInvocation : block;
  const callId = requireText(call, "toolCallId", CALL_ID);
  const name = requireText(call, "toolName", TOOL_NAME);
  if (call.state !== "result") return [callPart(callId, name, call.args)];
  return [donePart(callId, name, call.args, dataText(call.result), false)];
}
