/** Arguments of a call, as each format wants them: an object, or the JSON text of one. */
import { type Block, isBlock } from "../../../message/block.ts";
import { jsonText } from "../../../message/strings-inside.ts";
import type { CallPiece } from "./piece.ts";

export type CallInput = Readonly<Record<string, unknown>>;

/** Text that is no JSON object is what a free-form tool was given: it goes under a name of its own. */
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
    // Nested deeper than JSON can be written: its words are left.
    return JSON.stringify({ input: jsonText(input) });
  }
}

/** Calls whose arguments are an object: it is passed on by reference, neither written as JSON nor read again. */
export function readCall(block: Block): CallPiece | null {
  switch (block.type) {
    case "tool_use":
    case "server_tool_use":
      return callPiece(block.id, block.name, block.input);
    // pi
    case "toolCall":
      return callPiece(block.id, block.name, block.arguments);
    // AI SDK; in a message for a person, a part with a state is a tool that is called `call`.
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
