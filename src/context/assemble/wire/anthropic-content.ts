/** The content blocks of Anthropic's messages: text, images, documents, tool results. */
import { IMAGE_TYPES, type ImageType, type NativeServerBlock, onlyKnownFields } from "./anthropic-blocks.ts";
import type { ContentBlock, ServerBlock, TextBlock, ToolResultBlock } from "./anthropic-types.ts";
import { describeMedia, FAILED_SILENTLY, NO_RESULT, resultText } from "./describe-in-words.ts";
import { type ContentPiece, hasWords, type Media, type ResultPiece } from "./piece.ts";

export function contentBlocks(pieces: readonly ContentPiece[]): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const piece of pieces) {
    if (piece.kind === "native") blocks.push(onlyKnownFields(piece.block));
    else if (piece.kind === "media") blocks.push(mediaBlock(piece.media));
    else if (hasWords(piece.text)) blocks.push({ type: "text", text: piece.text });
  }
  return blocks;
}

/** The model's words. It cannot be shown as the author of an image: that is named. */
export function assistantText(piece: ContentPiece): readonly TextBlock[] {
  if (piece.kind === "media") return [{ type: "text", text: describeMedia(piece.media) }];
  if (piece.kind === "text") return trimmed(piece.text);
  if (piece.block.type === "text" && !/\s$/.test(piece.block.text)) return [onlyKnownFields(piece.block)];
  return piece.plain.flatMap(assistantText);
}

function trimmed(text: string): readonly TextBlock[] {
  const words = text.trimEnd();
  return words === "" ? [] : [{ type: "text", text: words }];
}

export function serverBlock(
  block: NativeServerBlock,
  idField: "id" | "tool_use_id",
  id: string,
): ServerBlock {
  const known = onlyKnownFields(block);
  return known[idField] === id ? known : { ...known, [idField]: id };
}

function mediaBlock(media: Media): ContentBlock {
  const { type, mime, data, url } = media;
  if (data !== null && isImageType(mime))
    return { type: "image", source: { type: "base64", media_type: mime, data } };
  if (url !== null && type === "image") return { type: "image", source: { type: "url", url } };
  if (mime !== "application/pdf") return { type: "text", text: describeMedia(media) };
  const title = media.name === null || !hasWords(media.name) ? {} : { title: media.name };
  if (data !== null)
    return { type: "document", ...title, source: { type: "base64", media_type: mime, data } };
  if (url !== null) return { type: "document", ...title, source: { type: "url", url } };
  return { type: "text", text: describeMedia(media) };
}

function isImageType(mime: string | null): mime is ImageType {
  return mime !== null && (IMAGE_TYPES as readonly string[]).includes(mime);
}

/** An answer that says it failed must say it in text, and say something. */
export function resultBlock(id: string, result: ResultPiece | undefined): ToolResultBlock {
  if (result === undefined) return { type: "tool_result", tool_use_id: id, content: NO_RESULT };
  if (!result.failed) return { type: "tool_result", tool_use_id: id, content: answer(result) };
  const text = resultText(result);
  return {
    type: "tool_result",
    tool_use_id: id,
    content: hasWords(text) ? text : FAILED_SILENTLY,
    is_error: true,
  };
}

function answer({ content }: ResultPiece): string | ContentBlock[] {
  const [only] = content;
  if (content.length === 1 && only?.kind === "text") return only.text;
  const blocks = contentBlocks(content);
  return blocks.length === 0 ? "" : blocks;
}
