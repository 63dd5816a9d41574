/**
 * The pieces of a message on its way to a wire format, independent of its message family. Pieces refer to the
 * original's strings and objects and never copy them. A piece with a `block` or an `item` can be sent unchanged
 * to the provider that wrote it.
 */
import type { Block } from "../../../message/block.ts";
import type { NativeBlock, NativeServerBlock } from "./anthropic-blocks.ts";

export type Piece =
  | TextPiece
  | MediaPiece
  | NativePiece
  | ThinkingPiece
  | SealedPiece
  | CallPiece
  | ResultPiece;

/** Content of a user message or a tool result. */
export type ContentPiece = TextPiece | MediaPiece | NativePiece;

export interface TextPiece {
  readonly kind: "text";
  readonly text: string;
  /** The original message of the Responses API. */
  readonly item?: Block;
}

export interface MediaPiece {
  readonly kind: "media";
  readonly media: Media;
}

/** An image, a document or a sound. At most one of `data` and `url` is given; neither if only its name is known. */
export interface Media {
  readonly type: "image" | "audio" | "file";
  readonly mime: string | null;
  readonly name: string | null;
  /** Base64. */
  readonly data: string | null;
  /** http or https. */
  readonly url: string | null;
}

/** An Anthropic block with more information than the pieces that other formats use instead. */
interface NativePiece {
  readonly kind: "native";
  readonly block: NativeBlock;
  readonly plain: readonly (TextPiece | MediaPiece)[];
}

/** Anthropic's signed thinking. Unsigned reasoning is not a piece. */
interface ThinkingPiece {
  readonly kind: "thinking";
  readonly block: ThinkingBlock;
}

export type ThinkingBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

/** Encrypted reasoning of the Responses API. */
export interface SealedPiece {
  readonly kind: "sealed";
  readonly item: Block;
}

export interface CallPiece {
  readonly kind: "call";
  readonly id: string | null;
  readonly name: string | null;
  /** An object, or the text that the model wrote. */
  readonly input: unknown;
  /** Anthropic's `server_tool_use`. */
  readonly block?: NativeServerBlock;
  /** The original item of the Responses API. */
  readonly item?: Block;
}

export interface ResultPiece {
  readonly kind: "result";
  readonly id: string | null;
  readonly name: string | null;
  readonly failed: boolean;
  readonly content: readonly ContentPiece[];
  /** Anthropic's result of a server tool. */
  readonly block?: NativeServerBlock;
}

/** An unpaired surrogate, which a cut may leave, makes providers reject the whole request. */
export function textPiece(text: string): TextPiece {
  return { kind: "text", text: text.isWellFormed() ? text : text.toWellFormed() };
}

/** Content without the blocks that only Anthropic accepts. */
export function plainContent(pieces: readonly ContentPiece[]): readonly (TextPiece | MediaPiece)[] {
  return pieces.some((piece) => piece.kind === "native")
    ? pieces.flatMap((piece) => (piece.kind === "native" ? piece.plain : [piece]))
    : (pieces as readonly (TextPiece | MediaPiece)[]);
}

export function hasWords(text: string): boolean {
  return /\S/.test(text);
}
