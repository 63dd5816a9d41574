/**
 * Anthropic's Messages API: user and assistant alternate, and the user is first. Each call is answered at the beginning
 * of the next message. Texts are never empty, and assistant text never ends in white space:
 * the API refuses that in the last message, and a message must not change when others follow it.
 */

import { IMAGE_TYPES, type ImageType, type NativeServerBlock, onlyKnownFields } from "./anthropic-blocks.ts";
import type {
  AnthropicMessage,
  AssistantBlock,
  ContentBlock,
  ServerBlock,
  TextBlock,
  ToolResultBlock,
  UserBlock,
} from "./anthropic-types.ts";
import { inputObject } from "./call-input.ts";
import { CONTINUES, describeMedia, FAILED_SILENTLY, NO_RESULT, resultText } from "./describe-in-words.ts";
import type { Layout, ResponsePiece, Segment } from "./lay-out.ts";
import {
  type CallPiece,
  type ContentPiece,
  hasWords,
  type Media,
  plainContent,
  type ResultPiece,
} from "./piece.ts";
import type { WireContext } from "./wire.ts";
import { callNames, type NameCall, toolName } from "./wire-ids.ts";

export type { AnthropicMessage } from "./anthropic-types.ts";

const LONGEST_ID = 64;
const LONGEST_NAME = 128;

interface RenderedResponse {
  readonly blocks: AssistantBlock[];
  readonly results: UserBlock[];
}

export function renderAnthropic({ segments, resultOf }: Layout): WireContext<AnthropicMessage> {
  const nameCall = callNames(LONGEST_ID);
  const messages: AnthropicMessage[] = [];
  for (const segment of segments) {
    if (segment.kind === "user") sayAsUser(messages, contentBlocks(segment.pieces));
    if (segment.kind !== "response") continue;
    const { blocks, results } = renderResponse(segment.pieces, resultOf, nameCall);
    sayAsAssistant(messages, blocks);
    sayAsUser(messages, results);
  }
  return { system: systemText(segments), messages };
}

function systemText(segments: readonly Segment[]): string | null {
  const texts = segments
    .filter((segment) => segment.kind === "system")
    .flatMap(({ pieces }) => plainContent(pieces))
    .map((piece) => (piece.kind === "text" ? piece.text : describeMedia(piece.media)));
  return texts.length === 0 ? null : texts.join("\n\n");
}

function sayAsUser(messages: AnthropicMessage[], blocks: readonly UserBlock[]): void {
  if (blocks.length === 0) return;
  const last = messages.at(-1);
  if (last?.role !== "user") messages.push({ role: "user", content: [...blocks] });
  else for (const block of blocks) last.content.push(block);
}

function sayAsAssistant(messages: AnthropicMessage[], blocks: readonly AssistantBlock[]): void {
  if (blocks.length === 0) return;
  const last = messages.at(-1);
  if (last === undefined) messages.push({ role: "user", content: [{ type: "text", text: CONTINUES }] });
  if (last?.role !== "assistant") messages.push({ role: "assistant", content: [...blocks] });
  else for (const block of blocks) last.content.push(block);
}

function renderResponse(
  pieces: readonly ResponsePiece[],
  resultOf: Layout["resultOf"],
  nameCall: NameCall,
): RenderedResponse {
  const blocks: AssistantBlock[] = [];
  const results: UserBlock[] = [];
  for (const piece of pieces) {
    if (piece.kind === "call") addCall({ blocks, results }, piece, resultOf.get(piece), nameCall);
    else if (piece.kind === "thinking") blocks.push(piece.block);
    else if (piece.kind !== "sealed") for (const block of assistantText(piece)) blocks.push(block);
  }
  // The API rejects thinking that nothing follows, which an interrupted response leaves.
  while (isThinking(blocks.at(-1))) blocks.pop();
  return { blocks, results };
}

function addCall(
  { blocks, results }: RenderedResponse,
  call: CallPiece,
  result: ResultPiece | undefined,
  nameCall: NameCall,
): void {
  const id = nameCall(call.id, call.name);
  if (call.block !== undefined && result?.block !== undefined) {
    blocks.push(serverBlock(call.block, "id", id), serverBlock(result.block, "tool_use_id", id));
    return;
  }
  const name = toolName(call.name, LONGEST_NAME);
  blocks.push({ type: "tool_use", id, name, input: inputObject(call.input) });
  results.push(resultBlock(id, result));
}

function isThinking(block: AssistantBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}

/** The content blocks of Anthropic's messages: text, images, documents, tool results. */
function contentBlocks(pieces: readonly ContentPiece[]): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const piece of pieces) {
    if (piece.kind === "native") blocks.push(onlyKnownFields(piece.block));
    else if (piece.kind === "media") blocks.push(mediaBlock(piece.media));
    else if (hasWords(piece.text)) blocks.push({ type: "text", text: piece.text });
  }
  return blocks;
}

/** Assistant text. An assistant message cannot contain an image, so the image is named. */
function assistantText(piece: ContentPiece): readonly TextBlock[] {
  if (piece.kind === "media") return [{ type: "text", text: describeMedia(piece.media) }];
  if (piece.kind === "text") return trimmed(piece.text);
  if (piece.block.type === "text" && !/\s$/.test(piece.block.text)) return [onlyKnownFields(piece.block)];
  return piece.plain.flatMap(assistantText);
}

function trimmed(text: string): readonly TextBlock[] {
  const words = text.trimEnd();
  return words === "" ? [] : [{ type: "text", text: words }];
}

function serverBlock(block: NativeServerBlock, idField: "id" | "tool_use_id", id: string): ServerBlock {
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

/** A result that reports an error must contain text. */
function resultBlock(id: string, result: ResultPiece | undefined): ToolResultBlock {
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
