/** Arguments of a call in the form that each format requires: an object or its JSON text. */
import { type Block, isBlock } from "../../../message/block.ts";
import { jsonText } from "../../../message/strings-inside.ts";
import type { CallPiece } from "./piece.ts";

export type CallInput = Readonly<Record<string, unknown>>;

/** Text that is not a JSON object is the input of a free-form tool: it gets its own field. */
export function inputObject(input: unknown): CallInput {
  if (isBlock(input)) return input;
  const text = typeof input === "string" ? input : jsonText(input);
  if (text.trim() === "") return {};
  return parseObject(text) ?? { input: text };
}

export function inputJson(input: unknown): string {
  if (isBlock(input)) return stringify(input);
  const text = typeof input === "string" ? input : jsonText(input);
  if (text.trim() === "") return "{}";
  return parseObject(text) === null ? JSON.stringify({ input: text }) : text;
}

function parseObject(text: string): CallInput | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isBlock(value) ? value : null;
  } catch {
    return null;
  }
}

function stringify(input: CallInput): string {
  try {
    return JSON.stringify(input);
  } catch {
    // Nested too deeply to serialise: only its text is kept.
    return JSON.stringify({ input: jsonText(input) });
  }
}

/** Calls whose arguments are an object, which is passed on by reference without serialising. */
export function readCall(block: Block): CallPiece | null {
  switch (block.type) {
    case "tool_use":
    case "server_tool_use":
      return callPiece(block.id, block.name, block.input);
    // pi
    case "toolCall":
      return callPiece(block.id, block.name, block.arguments);
    // AI SDK; in a UI message, a part with a state belongs to a tool that is named `call`.
    case "tool-call":
      return block.state === undefined
        ? callPiece(block.toolCallId, block.toolName, block.input ?? block.args)
        : null;
    default:
      return null;
  }
}

function callPiece(id: unknown, name: unknown, input: unknown): CallPiece | null {
  if (typeof id !== "string" || typeof name !== "string" || !isBlock(input)) return null;
  return { kind: "call", id, name, input };
}
