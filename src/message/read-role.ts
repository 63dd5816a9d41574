/**
 * Reads fields of a message outside of its content, by the role of the message:
 * OpenAI's tool calls, tool results, pi's shell runs, summaries and errors.
 */
import type { Part } from "../types.ts";
import { type Block, isBlock, Misfit, type Reading, readFitting, requireText, textOf } from "./block.ts";
import { readBlocks } from "./read-block.ts";
import { audioParts } from "./read-file-block.ts";
import { dataText, readToolOutput } from "./read-tool-output.ts";
import { callPart, donePart, resultParts, saysFailed } from "./tool-part.ts";

const CONTENT = "a string, an array of blocks or null";

export function readRoleParts(message: Block, reading: Reading): readonly Part[] {
  if (hasParts(message)) return readBlocks(message.parts, ".parts", reading);
  switch (message.role) {
    case "assistant":
      return readAssistant(message, reading);
    case "tool":
      return readToolMessage(message, reading);
    case "function":
      return readFitting(reading, "", null, message, readFunctionResult);
    case "toolResult":
      return readFitting(reading, "", null, message, readPiResult);
    case "bashExecution":
      return readFitting(reading, "", null, message, readShellRun);
    case "branchSummary":
    case "compactionSummary":
      return readFitting(reading, "", null, message, readSummary);
    case "custom":
    case "hookMessage":
      return readContent(message, reading).map(asSynthetic);
    default:
      return readContent(message, reading);
  }
}

/** Whether it is a UI message. AI SDK 4 also gave these a `content`, which repeats the parts. */
export function hasParts(message: Block): message is Block & { readonly parts: readonly unknown[] } {
  if (!Array.isArray(message.parts)) return false;
  return message.parts.length > 0 || message.content === undefined;
}

function readContent(message: Block, reading: Reading): readonly Part[] {
  const { content } = message;
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (Array.isArray(content)) return readBlocks(content, ".content", reading);
  if (content === null) return [];
  return readFitting(reading, "", null, message, () => {
    if (content === undefined && message.parts !== undefined)
      throw new Misfit(".parts", message.parts, "an array of parts");
    throw new Misfit(".content", content, CONTENT);
  });
}

/** OpenAI chat has refusal, audio, reasoning and calls beside the content, which may be absent; pi has errors there. */
function readAssistant(message: Block, reading: Reading): readonly Part[] {
  const beside = readBesideContent(message, reading);
  if (beside.length === 0) return readContent(message, reading);
  const reasoning = beside.filter((part) => part.type === "reasoning");
  const rest = beside.filter((part) => part.type !== "reasoning");
  const content = message.content === undefined ? [] : readContent(message, reading);
  return [...reasoning, ...content, ...rest];
}

function readBesideContent(message: Block, reading: Reading): readonly Part[] {
  const parts: Part[] = [];
  const reasoning = textOf(message.reasoning_content) ?? textOf(message.reasoning);
  if (reasoning !== null) parts.push({ type: "reasoning", text: reasoning });
  if (typeof message.refusal === "string") parts.push({ type: "text", text: message.refusal });
  if (isBlock(message.audio)) parts.push(...audioParts(message.audio));
  const { tool_calls: calls, function_call: call } = message;
  if (calls !== undefined && calls !== null) parts.push(...readCalls(calls, reading));
  if (call !== undefined && call !== null)
    parts.push(...readFitting(reading, ".function_call", null, call, readFunctionCall));
  // In pi and OpenClaw, the provider returned an error.
  if (typeof message.errorMessage === "string" && message.errorMessage !== "")
    parts.push({ type: "failure", error: message.errorMessage });
  return parts;
}

function readCalls(calls: unknown, reading: Reading): readonly Part[] {
  if (Array.isArray(calls))
    return calls.flatMap((call: unknown, index) =>
      readFitting(reading, ".tool_calls", index, call, readCall),
    );
  return readFitting(reading, ".tool_calls", null, calls, () => {
    throw new Misfit("", calls, "an array of tool calls");
  });
}

function readCall(call: unknown): readonly Part[] {
  if (!isBlock(call)) throw new Misfit("", call, "an object with an id and a function");
  const callId = requireText(call, "id", "the id of the tool call as a string");
  const field = isBlock(call.custom) ? "custom" : "function";
  const called = call[field];
  if (!isBlock(called)) throw new Misfit(`.${field}`, called, "an object with the name of the tool");
  if (typeof called.name !== "string") throw new Misfit(`.${field}.name`, called.name, "a string");
  return [callPart(callId, called.name, called.arguments ?? called.input)];
}

/** OpenAI's legacy form of calls: one a message, paired by name. */
function readFunctionCall(call: unknown): readonly Part[] {
  if (!isBlock(call)) throw new Misfit("", call, "an object with the name of the function");
  return [callPart(null, requireText(call, "name"), call.arguments)];
}

function readFunctionResult(message: Block): readonly Part[] {
  const name = requireText(message, "name", "the name of the function as a string");
  return resultParts(null, name, readResultContent(message), saysFailed(message));
}

/** OpenAI chat: the message is one result. AI SDK: it contains results as blocks, each with its own id. */
function readToolMessage(message: Block, reading: Reading): readonly Part[] {
  if (message.tool_call_id === undefined && Array.isArray(message.content)) {
    const parts = readBlocks(message.content, ".content", reading);
    if (parts.length === 0 || parts.some((part) => part.type === "tool" || part.type === "other"))
      return parts;
  }
  return readFitting(reading, "", null, message, readChatResult);
}

function readChatResult(message: Block): readonly Part[] {
  const callId = requireText(message, "tool_call_id", "the id of the tool call as a string");
  return resultParts(callId, textOf(message.name), readResultContent(message), saysFailed(message));
}

function readPiResult(message: Block): readonly Part[] {
  const callId = requireText(message, "toolCallId", "the id of the tool call as a string");
  return resultParts(callId, textOf(message.toolName), readResultContent(message), saysFailed(message));
}

function readResultContent(message: Block): ReturnType<typeof readToolOutput> {
  const { content } = message;
  if (typeof content !== "string" && content !== null && !Array.isArray(content))
    throw new Misfit(".content", content, CONTENT);
  return readToolOutput(content);
}

/** A command that the person ran in the agent's shell. */
function readShellRun(message: Block): readonly Part[] {
  const command = requireText(message, "command", "the command as a string");
  const failed = typeof message.exitCode === "number" && message.exitCode !== 0;
  return [donePart(null, "bash", command, dataText(message.output), failed)];
}

function readSummary(message: Block): readonly Part[] {
  return [{ type: "text", text: requireText(message, "summary"), synthetic: true }];
}

function asSynthetic(part: Part): Part {
  return part.type === "text" ? { ...part, synthetic: true } : part;
}
