/**
 * Input items of OpenAI's Responses API. Outputs follow the calls of their response. Encrypted
 * reasoning is sent only with the item that it led to, both with their ids: the API rejects one without the
 * other. All other items are sent without ids, so that the provider does not look up items that it no longer stores.
 */
import type { Block } from "../../../message/block.ts";
import { inputJson } from "./call-input.ts";
import { describeMedia, NO_RESULT } from "./describe-in-words.ts";
import type { Layout, ResponsePiece } from "./lay-out.ts";
import { dataUrl } from "./openai-chat.ts";
import {
  type CallPiece,
  type ContentPiece,
  hasWords,
  type Media,
  plainContent,
  type ResultPiece,
  type SealedPiece,
} from "./piece.ts";
import type { InputContent, ReasoningItem, ResponsesItem } from "./responses-types.ts";
import type { WireContext } from "./wire.ts";
import { callNames, type NameCall, toolName } from "./wire-ids.ts";

export type { ResponsesItem } from "./responses-types.ts";

const LONGEST_ID = 64;
const LONGEST_NAME = 64;
/** The image types that the API accepts. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

export function renderOpenaiResponses({ segments, resultOf }: Layout): WireContext<ResponsesItem> {
  const nameCall = callNames(LONGEST_ID);
  const messages: ResponsesItem[] = [];
  for (const { kind, pieces } of segments) {
    if (kind === "response")
      for (const item of renderResponse(pieces, resultOf, nameCall)) messages.push(item);
    else messages.push({ type: "message", role: kind, content: inputContent(pieces) });
  }
  return { system: null, messages };
}

function renderResponse(
  pieces: readonly ResponsePiece[],
  resultOf: Layout["resultOf"],
  nameCall: NameCall,
): readonly ResponsesItem[] {
  const items: ResponsesItem[] = [];
  const outputs: ResponsesItem[] = [];
  let sealed: SealedPiece[] = [];
  for (const piece of pieces) {
    if (piece.kind === "sealed") sealed.push(piece);
    if (piece.kind === "sealed" || piece.kind === "thinking") continue;
    const id = sealed.length === 0 ? null : ownId(piece);
    if (id !== null) for (const { item } of sealed) items.push(reasoningItem(item));
    sealed = [];
    if (piece.kind === "call") addCall(items, outputs, piece, resultOf.get(piece), nameCall, id);
    else for (const item of spokenItems(piece, id)) items.push(item);
  }
  return [...items, ...outputs];
}

/** The provider's id of its own output. */
function ownId(piece: CallPiece | ContentPiece): string | null {
  const id = piece.kind === "text" || piece.kind === "call" ? piece.item?.id : undefined;
  return typeof id === "string" && id !== "" ? id : null;
}

/** `isSealedReasoning` has checked it. */
function reasoningItem({ id, summary, encrypted_content }: Block): ReasoningItem {
  return { type: "reasoning", id, summary, encrypted_content } as ReasoningItem;
}

function spokenItems(piece: ContentPiece, id: string | null): readonly ResponsesItem[] {
  const texts = plainContent([piece]).map((plain) =>
    plain.kind === "text" ? plain.text : describeMedia(plain.media),
  );
  if (id === null) return texts.map((content) => ({ type: "message", role: "assistant", content }));
  const content = texts.map((text) => ({ type: "output_text" as const, text, annotations: [] }));
  return [{ type: "message", id, role: "assistant", status: "completed", content }];
}

function addCall(
  items: ResponsesItem[],
  outputs: ResponsesItem[],
  call: CallPiece,
  result: ResultPiece | undefined,
  nameCall: NameCall,
  ownId: string | null,
): void {
  const call_id = nameCall(call.id, call.name);
  const name = toolName(call.name, LONGEST_NAME);
  const id = ownId === null ? {} : { id: ownId };
  const output = result === undefined ? NO_RESULT : outputOf(result);
  if (call.item?.type === "custom_tool_call" && typeof call.input === "string") {
    items.push({ type: "custom_tool_call", ...id, call_id, name, input: call.input });
    outputs.push({ type: "custom_tool_call_output", call_id, output });
  } else {
    items.push({ type: "function_call", ...id, call_id, name, arguments: inputJson(call.input) });
    outputs.push({ type: "function_call_output", call_id, output });
  }
}

function outputOf({ content }: ResultPiece): string | InputContent[] {
  const [only] = content;
  if (content.length === 1 && only?.kind === "text") return only.text;
  const list = inputContent(content);
  return list.length === 0 ? "" : list;
}

function inputContent(pieces: readonly ContentPiece[]): InputContent[] {
  return plainContent(pieces)
    .filter((piece) => piece.kind !== "text" || hasWords(piece.text))
    .map((piece) =>
      piece.kind === "text" ? { type: "input_text", text: piece.text } : mediaContent(piece.media),
    );
}

function mediaContent(media: Media): InputContent {
  const { type, mime, data, url, name } = media;
  if (type === "image" && url !== null) return { type: "input_image", detail: "auto", image_url: url };
  if (mime !== null && data !== null && IMAGE_TYPES.includes(mime))
    return { type: "input_image", detail: "auto", image_url: dataUrl(mime, data) };
  if (mime !== "application/pdf") return { type: "input_text", text: describeMedia(media) };
  if (data !== null)
    return { type: "input_file", filename: name || "document.pdf", file_data: dataUrl(mime, data) };
  return url === null
    ? { type: "input_text", text: describeMedia(media) }
    : { type: "input_file", file_url: url };
}
