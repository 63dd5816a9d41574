/**
 * Blocks for bytes: images, documents, audio and files of every family. Each becomes a `file` part
 * with its name and address; the bytes stay in the original. Documents with plain text become text
 * parts, because the model reads them as text.
 */
import type { Part } from "../types.ts";
import { type Block, isBlock, type ReadBlock, textOf } from "./block.ts";

export const FILE_BLOCKS: ReadonlyMap<string, ReadBlock> = new Map<string, ReadBlock>([
  ["image", readImage],
  ["image_url", readImage],
  ["input_image", readImage],
  ["computer_screenshot", readImage],
  ["audio", readFile],
  ["input_audio", readAudio],
  ["output_audio", readAudio],
  ["file", readFile],
  ["input_file", readFile],
  ["container_upload", readFile],
  ["document", readDocument],
  ["search_result", readSearchResult],
  // Inside the results of AI SDK tools.
  ["media", readFile],
  ["file-data", readFile],
  ["file-url", readFile],
  ["file-id", readFile],
  ["image-data", readFile],
  ["image-url", readFile],
  ["image-file-id", readFile],
]);

/** Anthropic: source. OpenAI: image_url, as an object or bare. AI SDK: image. pi and MCP: data. */
function readImage(block: Block): readonly Part[] {
  if (isBlock(block.source)) return [sourcePart(block.source, null)];
  const link = isBlock(block.image_url) ? block.image_url.url : block.image_url;
  const url = linkOf(link ?? block.url) ?? linkIn(block.image ?? block.data);
  return [filePart(block, textOf(block.file_id), url)];
}

/** OpenAI nests it under `file`; AI SDK calls the content `data`, its UI messages and ours `url`. */
function readFile(block: Block): readonly Part[] {
  const file = isBlock(block.file) ? block.file : block;
  const data = file.data ?? file.file_data;
  // AI SDK 7 declares the kind of data: { type: "url", url }, { type: "text", text }, …
  if (isBlock(data) && typeof data.text === "string") return [{ type: "text", text: data.text }];
  const name = textOf(file.name) ?? textOf(file.filename) ?? textOf(file.file_id) ?? textOf(file.fileId);
  const url = linkOf(file.url ?? file.file_url ?? (isBlock(data) ? data.url : undefined)) ?? linkIn(data);
  return [filePart(file, name, url)];
}

function readAudio(block: Block): readonly Part[] {
  const audio = isBlock(block.input_audio) ? block.input_audio : block;
  return audioParts(audio);
}

/** Audio of OpenAI: its transcript as text; its id or format as the name. */
export function audioParts(audio: Block): readonly Part[] {
  const format = textOf(audio.format);
  const file = filePart({ mime: format === null ? null : `audio/${format}` }, textOf(audio.id), null);
  const transcript = textOf(audio.transcript);
  return transcript === null ? [file] : [file, { type: "text", text: transcript }];
}

function readDocument(block: Block): readonly Part[] {
  const title = textOf(block.title);
  const source = isBlock(block.source) ? block.source : block;
  if (source.type === "text") return [{ type: "text", text: lines(title, block.context, source.data) }];
  if (source.type !== "content") return [sourcePart(source, title)];
  if (!Array.isArray(source.content))
    return [{ type: "text", text: lines(title, block.context, source.content) }];
  return inlineParts(lines(title, block.context), source.content);
}

function readSearchResult(block: Block): readonly Part[] {
  return inlineParts(lines(block.title, block.source), Array.isArray(block.content) ? block.content : []);
}

/** Text blocks under one heading, with the images between them. */
function inlineParts(heading: string, blocks: readonly unknown[]): readonly Part[] {
  const texts = blocks.map((block) => (isBlock(block) ? block.text : null));
  const images = blocks.filter(isBlock).filter((block) => block.type === "image");
  return [{ type: "text", text: lines(heading, ...texts) }, ...images.flatMap(readImage)];
}

function sourcePart(source: Block, title: string | null): Part {
  return filePart(source, title ?? textOf(source.file_id), linkOf(source.url));
}

export function filePart(block: Block, name: string | null, url: string | null): Part {
  const mime = block.mime ?? block.mediaType ?? block.mimeType ?? block.media_type;
  return { type: "file", mime: textOf(mime) ?? mimeOfDataUrl(url), name, url };
}

function linkOf(value: unknown): string | null {
  return value instanceof URL ? value.href : textOf(value);
}

/** The value may be a link or the bytes themselves, raw or in base64; base64 has no colon. */
function linkIn(value: unknown): string | null {
  const link = linkOf(value);
  return link !== null && /^[a-z][a-z0-9+.-]{1,31}:/i.test(link) ? link : null;
}

function mimeOfDataUrl(url: string | null): string | null {
  return url === null ? null : (/^data:([^;,]{1,255})[;,]/i.exec(url)?.[1] ?? null);
}

function lines(...texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n");
}
