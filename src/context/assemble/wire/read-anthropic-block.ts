/**
 * Blocks in Anthropic's own shape, except plain calls. Images, documents and search results are kept whole
 * beside the pieces for other formats. Null for all other blocks, including blocks of these types that
 * Anthropic would reject.
 */
import type { Block } from "../../../message/block.ts";
import { readBlocks } from "../../../message/read-block.ts";
import { isNativeContent, isServerResult, isServerTool, type NativeServerBlock } from "./anthropic-blocks.ts";
import { readCall } from "./call-input.ts";
import type { ContentPiece, Piece, ResultPiece } from "./piece.ts";
import { partPieces } from "./read-part-pieces.ts";

type ReadContent = (content: unknown) => readonly ContentPiece[] | null;

export function readAnthropicBlock(block: Block, readContent: ReadContent): Piece | null {
  if (block.type === "server_tool_use") return readServerCall(block);
  if (block.type === "tool_result") return readResult(block, readContent);
  if (isServerResult(block)) return readServerResult(block);
  return isNativeContent(block) ? { kind: "native", block, plain: plainPieces(block) } : null;
}

function readServerCall(block: Block): Piece | null {
  const call = readCall(block);
  return call !== null && isServerTool(block) ? { ...call, block } : call;
}

function readResult(block: Block, readContent: ReadContent): ResultPiece | null {
  const content = block.content === undefined || block.content === null ? [] : readContent(block.content);
  if (typeof block.tool_use_id !== "string" || content === null) return null;
  return { kind: "result", id: block.tool_use_id, name: null, failed: block.is_error === true, content };
}

function readServerResult(block: NativeServerBlock): Piece | null {
  const [piece] = partPieces(lenientParts(block), block, "assistant");
  return piece?.kind === "result" ? { ...piece, block } : null;
}

function plainPieces(block: Block): ReturnType<typeof onlyPlain> {
  return onlyPlain(partPieces(lenientParts(block), block, "user"));
}

function onlyPlain(pieces: readonly Piece[]) {
  return pieces.filter((piece) => piece.kind === "text" || piece.kind === "media");
}

function lenientParts(block: Block) {
  return readBlocks([block], "", { strict: false, place: "message" });
}
