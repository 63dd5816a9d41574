/** Converts parts to pieces: for messages without blocks, and for blocks without a special conversion. */

import { type Block, isBlock } from "../../../message/block.ts";
import { definitionOf } from "../../../message/parts/index.ts";
import { jsonText } from "../../../message/strings-inside.ts";
import { hideBase64 } from "../../../text/hide-base64.ts";
import type { Part, Role } from "../../../types.ts";
import { quoteRun } from "./describe-in-words.ts";
import {
  type CallPiece,
  type ContentPiece,
  hasWords,
  type Piece,
  type ResultPiece,
  textPiece,
} from "./piece.ts";
import { readMedia } from "./read-media.ts";

type ToolPart = Extract<Part, { type: "tool" }>;
type FilePart = Extract<Part, { type: "file" }>;

/** `source` is the origin of the parts: one block, one item, or a message without blocks. */
export function partPieces(parts: readonly Part[], source: unknown, role: Role): readonly Piece[] {
  const block = isBlock(source) ? source : null;
  const [only] = parts;
  if (parts.length === 1 && only?.type === "other") return otherPieces(only, source);
  return parts.flatMap((part) => onePart(part, block, role));
}

function onePart(part: Part, block: Block | null, role: Role): readonly Piece[] {
  if (part.type === "tool") return toolPieces(part, role);
  if (part.type === "file") return [mediaPiece(part, block)];
  const text = definitionOf(part).inWords(part);
  return hasWords(text) ? [textPiece(text)] : [];
}

function mediaPiece(part: FilePart, block: Block | null): Piece & { readonly kind: "media" } {
  return { kind: "media", media: readMedia(part, block) };
}

/** Unknown content is shown completely if it contains text. */
function otherPieces(part: Part & { readonly type: "other" }, source: unknown): readonly Piece[] {
  return hasWords(part.text) ? [textPiece(readable(source))] : [];
}

export function readable(value: unknown): string {
  return hideBase64(typeof value === "string" ? value : jsonText(value));
}

/** A part with a call and its result is sent as both. If no model made the call, a person ran the command, and it is sent as text. */
function toolPieces(part: ToolPart, role: Role): readonly Piece[] {
  if (part.input === null) return [resultPiece(part, null)];
  const call: CallPiece = { kind: "call", id: part.callId, name: part.name, input: part.input };
  if (part.output === null) return [call];
  const result = resultPiece(part, null);
  if (part.callId === null && role !== "assistant") return [textPiece(quoteRun(call, result))];
  return [call, result];
}

/** Content is null if the result is plain text. */
export function resultPiece(part: ToolPart, content: readonly ContentPiece[] | null): ResultPiece {
  const { callId: id, name, status, output } = part;
  return {
    kind: "result",
    id,
    name,
    failed: status === "error",
    content: content ?? [textPiece(output ?? "")],
  };
}
