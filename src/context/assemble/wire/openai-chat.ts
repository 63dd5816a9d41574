/**
 * OpenAI's Chat Completions, and the many servers that implement it: a response is one message, and the results of its
 * calls follow as separate messages. Texts are plain strings where possible, because not every server
 * accepts lists. Reasoning is not sent.
 */
import { inputJson } from "./call-input.ts";
import { describeMedia, NO_RESULT, resultText } from "./describe-in-words.ts";
import type { Layout, ResponsePiece } from "./lay-out.ts";
import { type ContentPiece, type Media, type MediaPiece, plainContent, type TextPiece } from "./piece.ts";
import type { WireContext } from "./wire.ts";
import { callNames, type NameCall, toolName } from "./wire-ids.ts";

export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | ChatPart[] }
  | { readonly role: "assistant"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls: ChatCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  | {
      readonly type: "input_audio";
      readonly input_audio: { readonly data: string; readonly format: "wav" | "mp3" };
    }
  | { readonly type: "file"; readonly file: { readonly filename: string; readonly file_data: string } };

interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

const LONGEST_ID = 40;
const LONGEST_NAME = 64;
const AUDIO_FORMATS = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
] as const);

export function renderOpenaiChat({ segments, resultOf }: Layout): WireContext<ChatMessage> {
  const nameCall = callNames(LONGEST_ID);
  const messages: ChatMessage[] = [];
  for (const segment of segments) {
    if (segment.kind === "system") messages.push({ role: "system", content: wordsOf(segment.pieces) });
    else if (segment.kind === "user") messages.push({ role: "user", content: userContent(segment.pieces) });
    else for (const message of renderResponse(segment.pieces, resultOf, nameCall)) messages.push(message);
  }
  return { system: null, messages };
}

function renderResponse(
  pieces: readonly ResponsePiece[],
  resultOf: Layout["resultOf"],
  nameCall: NameCall,
): readonly ChatMessage[] {
  const calls: ChatCall[] = [];
  const results: ChatMessage[] = [];
  for (const piece of pieces) {
    if (piece.kind !== "call") continue;
    const id = nameCall(piece.id, piece.name);
    const name = toolName(piece.name, LONGEST_NAME);
    calls.push({ id, type: "function", function: { name, arguments: inputJson(piece.input) } });
    const result = resultOf.get(piece);
    const content = result === undefined ? NO_RESULT : resultText(result);
    results.push({ role: "tool", tool_call_id: id, content });
  }
  const words = wordsOf(pieces.filter(isContent));
  if (calls.length > 0)
    return [{ role: "assistant", content: words === "" ? null : words, tool_calls: calls }, ...results];
  return words === "" ? [] : [{ role: "assistant", content: words }];
}

function isContent(piece: ResponsePiece): piece is ContentPiece {
  return piece.kind === "text" || piece.kind === "media" || piece.kind === "native";
}

function wordsOf(pieces: readonly ContentPiece[]): string {
  return plainContent(pieces).map(words).join("\n\n");
}

function words(piece: TextPiece | MediaPiece): string {
  return piece.kind === "text" ? piece.text : describeMedia(piece.media);
}

function userContent(pieces: readonly ContentPiece[]): string | ChatPart[] {
  const plain = plainContent(pieces);
  const [only] = plain;
  if (plain.length === 1 && only?.kind === "text") return only.text;
  return plain.map((piece) =>
    piece.kind === "text" ? { type: "text", text: piece.text } : mediaPart(piece.media),
  );
}

function mediaPart(media: Media): ChatPart {
  const { type, mime, data, url, name } = media;
  if (type === "image" && url !== null) return { type: "image_url", image_url: { url } };
  if (mime === null || data === null) return { type: "text", text: describeMedia(media) };
  if (type === "image") return { type: "image_url", image_url: { url: dataUrl(mime, data) } };
  const format = audioFormat(mime);
  if (format !== undefined) return { type: "input_audio", input_audio: { data, format } };
  if (mime !== "application/pdf") return { type: "text", text: describeMedia(media) };
  return { type: "file", file: { filename: name || "document.pdf", file_data: dataUrl(mime, data) } };
}

function audioFormat(mime: string): "wav" | "mp3" | undefined {
  return (AUDIO_FORMATS as ReadonlyMap<string, "wav" | "mp3">).get(mime);
}

export function dataUrl(mime: string, data: string): string {
  return `data:${mime};base64,${data}`;
}
