/** Calls whose arguments are an object: it is passed on by reference, neither written as JSON nor read again. */
import { type Block, isBlock } from "../../../message/block.ts";
import type { CallPiece } from "./piece.ts";

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
