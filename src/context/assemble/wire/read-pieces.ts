/**
 * The pieces of one stored message. Blocks are read one by one from the original, because parts contain neither
 * bytes nor signatures nor the order of a result's content; messages without blocks are read from their parts. Never
 * throws: unknown content is shown as text. Text that is only white space is left out.
 */
import { type Block, isBlock, textOf } from "../../../message/block.ts";
import { readBlocks } from "../../../message/read-block.ts";
import { responseItemFor } from "../../../message/read-response-item.ts";
import type { Part, Role } from "../../../types.ts";
import { readCall } from "./call-input.ts";
import { type ContentPiece, hasWords, type Piece, type ThinkingBlock, textPiece } from "./piece.ts";
import { readAnthropicBlock } from "./read-anthropic-block.ts";
import { partPieces, readable, resultPiece } from "./read-part-pieces.ts";

const LENIENT = { strict: false, place: "message" };

export function readPieces(role: Role, value: unknown, parts: readonly Part[]): readonly Piece[] {
  if (!isBlock(value)) return partPieces(parts, value, role);
  if (isResponseItem(value)) return itemPieces(value, parts, role);
  const blocks = blocksOf(value);
  if (blocks === null || isOneResult(value)) return wholePieces(value, parts, role);
  const pieces = blocks.flatMap((block) => blockPieces(block, value, role));
  return callsFirst([...pieces, ...partPieces(callsBeside(value, parts), value, role)]);
}

/** Follows the reader of parts: a value with a role and content is a message, whatever its type. */
function isResponseItem(value: Block): boolean {
  const hasContent = value.content !== undefined || value.parts !== undefined;
  return !(typeof value.role === "string" && hasContent) && responseItemFor(value.type) !== undefined;
}

function itemPieces(item: Block, parts: readonly Part[], role: Role): readonly Piece[] {
  if (item.type === "reasoning") return isSealedReasoning(item) ? [{ kind: "sealed", item }] : [];
  const pieces = wholePieces(item, parts, role);
  const isOwnCall = item.type === "function_call" || item.type === "custom_tool_call";
  return isOwnCall ? pieces.map((piece) => (piece.kind === "call" ? { ...piece, item } : piece)) : pieces;
}

/** A message or item whose parts belong together: files in a result stay inside the result. */
function wholePieces(value: Block, parts: readonly Part[], role: Role): readonly Piece[] {
  const [first] = parts;
  if (parts.length < 2 || first?.type !== "tool" || first.input !== null)
    return partPieces(parts, value, role);
  const content = contentPieces(value.content ?? value.output ?? value.result);
  return content === null ? partPieces(parts, value, role) : [resultPiece(first, content)];
}

function blocksOf(message: Block): readonly unknown[] | null {
  const { parts, content } = message;
  if (Array.isArray(parts) && (parts.length > 0 || content === undefined)) return parts;
  return Array.isArray(content) ? content : null;
}

/** The message is the result of one call: OpenAI's chat, pi. */
function isOneResult(message: Block): boolean {
  return typeof message.tool_call_id === "string" || typeof message.toolCallId === "string";
}

/** OpenAI's chat has calls beside the content. Their parts follow those of the content. */
function callsBeside(message: Block, parts: readonly Part[]): readonly Part[] {
  const { tool_calls: calls, function_call: call } = message;
  if (message.role !== "assistant") return [];
  const count = (Array.isArray(calls) ? calls.length : 0) + (isBlock(call) ? 1 : 0);
  return count === 0 ? [] : parts.slice(-count);
}

function blockPieces(block: unknown, message: Block, role: Role): readonly Piece[] {
  if (!isBlock(block)) return partPieces(readBlocks([block], "", LENIENT), block, role);
  if (isText(block)) return hasWords(block.text) ? [spoken(block.text, message, role)] : [];
  const thinking = readSignedThinking(block, message);
  if (thinking !== null) return [{ kind: "thinking", block: thinking }];
  const native = readAnthropicBlock(block, contentPieces) ?? readCall(block);
  if (native !== null) return [native];
  return readToolContent(block, readBlocks([block], "", LENIENT), role);
}

function isText(block: Block): block is Block & { readonly text: string } {
  const { type, text, citations } = block;
  if (typeof text !== "string") return false;
  if (type === "text") return !Array.isArray(citations) || citations.length === 0;
  return type === "input_text" || type === "output_text";
}

/** A message of the Responses API may be sent again with its id. */
function spoken(text: string, message: Block, role: Role): Piece {
  const isItem = role === "assistant" && message.type === "message" && message.status === "completed";
  return isItem ? { ...textPiece(text), item: message } : textPiece(text);
}

/** A result with files, as a block: the AI SDK form is `output: { type: "content", value: […] }`. */
function readToolContent(block: Block, parts: readonly Part[], role: Role): readonly Piece[] {
  const [first] = parts;
  if (parts.length < 2 || first?.type !== "tool" || first.input !== null)
    return partPieces(parts, block, role);
  const content = contentPieces(isBlock(block.output) ? block.output.value : block.content);
  return content === null ? partPieces(parts, block, role) : [resultPiece(first, content)];
}

/** The output of a tool as text and blocks; null if it is arbitrary data. */
function contentPieces(content: unknown): readonly ContentPiece[] | null {
  if (typeof content === "string") return [textPiece(content)];
  if (!Array.isArray(content) || !content.every(isBlockOrText)) return null;
  return content.flatMap((block) => (typeof block === "string" ? [textPiece(block)] : insideResult(block)));
}

function isBlockOrText(value: unknown): value is Block | string {
  return typeof value === "string" || (isBlock(value) && typeof value.type === "string");
}

function insideResult(block: Block): readonly ContentPiece[] {
  if (typeof block.text === "string") return [textPiece(block.text)];
  const pieces = /tool|thinking/.test(String(block.type)) ? [] : blockPieces(block, {}, "tool");
  const content = pieces.filter(isContent);
  return content.length > 0 ? content : [textPiece(readable(block))];
}

function isContent(piece: Piece): piece is ContentPiece {
  return piece.kind === "text" || piece.kind === "media" || piece.kind === "native";
}

/** Calls that a message itself answers were made together: all calls of a run precede its results. */
function callsFirst(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some((piece, index) => piece.kind === "call" && pieces[index - 1]?.kind === "result"))
    return pieces;
  const ordered: Piece[] = [];
  let results: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind === "result") results.push(piece);
    else {
      if (piece.kind !== "call") {
        ordered.push(...results);
        results = [];
      }
      ordered.push(piece);
    }
  }
  return [...ordered, ...results];
}

/**
 * Reasoning that its provider accepts: Anthropic's with a signature, OpenAI's if encrypted. Other
 * reasoning is stored but not sent.
 */
function readSignedThinking(block: Block, message: Block): ThinkingBlock | null {
  if (block.type === "redacted_thinking") return readRedacted(block);
  if (block.type !== "thinking" && block.type !== "reasoning") return null;
  const thinking = textOf(block.thinking) ?? textOf(block.text);
  const signature = signatureOf(block, message);
  if (thinking === null || signature === null || !hasWords(signature)) return null;
  return { type: "thinking", thinking, signature };
}

function readRedacted({ data }: Block): ThinkingBlock | null {
  return typeof data === "string" && hasWords(data) ? { type: "redacted_thinking", data } : null;
}

/** Anthropic and pi (for any provider): in the block. AI SDK: under the provider's name. */
function signatureOf(block: Block, message: Block): string | null {
  if (typeof block.signature === "string") return block.signature;
  if (message.api === "anthropic-messages") return textOf(block.thinkingSignature);
  const options = block.providerOptions ?? block.providerMetadata;
  const anthropic = isBlock(options) ? options.anthropic : undefined;
  return isBlock(anthropic) ? textOf(anthropic.signature) : null;
}

/** Without the id and the encrypted content, the provider could not restore the reasoning. */
function isSealedReasoning({ id, encrypted_content: content, summary }: Block): boolean {
  return isFilled(id) && isFilled(content) && Array.isArray(summary) && summary.every(isSummary);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && hasWords(value);
}

function isSummary(value: unknown): boolean {
  return isBlock(value) && value.type === "summary_text" && typeof value.text === "string";
}
