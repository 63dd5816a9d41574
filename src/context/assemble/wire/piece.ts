/**
 * What a message is made of on its way to a wire format, whatever family it came in. Pieces refer to the
 * original's strings and objects and never copy them. A piece with a `block` or an `item` can be sent as it came
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

/** What may stand in a message of a person and in the answer of a tool. */
export type ContentPiece = TextPiece | MediaPiece | NativePiece;

export interface TextPiece {
  readonly kind: "text";
  readonly text: string;
  /** The message of the Responses API that it was. */
  readonly item?: Block;
}

export interface MediaPiece {
  readonly kind: "media";
  readonly media: Media;
}

/** An image, a document, a sound. At most one of `data` and `url` is given; neither when only its name is known. */
export interface Media {
  readonly type: "image" | "audio" | "file";
  readonly mime: string | null;
  readonly name: string | null;
  /** Base64. */
  readonly data: string | null;
  /** http or https. */
  readonly url: string | null;
}

/** A block of Anthropic's that says more than the pieces that others get in its place. */
interface NativePiece {
  readonly kind: "native";
  readonly block: NativeBlock;
  readonly plain: readonly (TextPiece | MediaPiece)[];
}

/** Anthropic's signed thinking. Reasoning that nobody can verify is no piece at all. */
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
  /** The item of the Responses API that it was. */
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

/** Half of a surrogate pair, which a cut may leave behind, makes providers refuse the whole request. */
export function textPiece(text: string): TextPiece {
  return { kind: "text", text: text.isWellFormed() ? text : text.toWellFormed() };
}

/** Content without the blocks that only Anthropic knows. */
export function plainContent(pieces: readonly ContentPiece[]): readonly (TextPiece | MediaPiece)[] {
  return pieces.some((piece) => piece.kind === "native")
    ? pieces.flatMap((piece) => (piece.kind === "native" ? piece.plain : [piece]))
    : (pieces as readonly (TextPiece | MediaPiece)[]);
}

export function hasWords(text: string): boolean {
  return /\S/.test(text);
}
