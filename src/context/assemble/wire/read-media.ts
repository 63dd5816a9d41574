/**
 * Bytes and links of images, documents and sounds, from the fields of each message family. Bytes become base64; text
 * that is already base64 is passed on unchanged.
 */
import { isArrayBuffer, isUint8Array } from "node:util/types";
import { type Block, isBlock, textOf } from "../../../message/block.ts";
import type { Part } from "../../../types.ts";
import type { Media } from "./piece.ts";

type FilePart = Extract<Part, { type: "file" }>;
interface Content {
  readonly mime: string | null;
  readonly data: string | null;
  readonly url: string | null;
}

const NOTHING: Content = { mime: null, data: null, url: null };
/** The first bytes of image files in base64. Providers reject an image whose declared type does not match. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi0", "application/pdf"],
];
const IMAGE_BLOCK = /image|screenshot/;
const AUDIO_BLOCK = /audio/;
const BASE64_ENDS = /^[A-Za-z0-9+/_-]+={0,2}$/;
const LOOKED_AT = 64;

/** `block` is the source of the part; the part itself does not contain the bytes. */
export function readMedia(part: FilePart, block: Block | null): Media {
  const content = contentOf(block, part);
  const mime = sniff(content.data, part.mime) ?? part.mime ?? content.mime;
  const { data, url } = content;
  return { type: typeOf(mime, textOf(block?.type) ?? ""), mime, name: part.name, data, url };
}

function contentOf(block: Block | null, part: FilePart): Content {
  for (const place of [...placesIn(block), part.url]) {
    const content = readContent(place);
    if (content.data !== null || content.url !== null) return content;
  }
  return NOTHING;
}

/** Fields in the order in which the families use them. */
function placesIn(block: Block | null): readonly unknown[] {
  if (block === null) return [];
  const file = isBlock(block.file) ? block.file : block;
  return [
    block.source,
    isBlock(block.image_url) ? block.image_url.url : block.image_url,
    block.input_audio,
    block.image,
    file.data,
    file.file_data,
    file.url,
    file.file_url,
    block.result,
  ];
}

function readContent(value: unknown): Content {
  if (typeof value === "string") return readText(value);
  if (isUint8Array(value) || isArrayBuffer(value)) return { ...NOTHING, data: toBase64(value) };
  if (value instanceof URL) return readText(value.href);
  if (!isBlock(value)) return NOTHING;
  const inner = value.data ?? value.url;
  return isBlock(inner) && !isUint8Array(inner) && !isArrayBuffer(inner) && !(inner instanceof URL)
    ? NOTHING
    : readContent(inner);
}

function readText(text: string): Content {
  if (/^data:/i.test(text)) return readDataUrl(text);
  if (/^https?:\/\//i.test(text)) return { ...NOTHING, url: text };
  return isBase64(text) ? { ...NOTHING, data: text } : NOTHING;
}

function readDataUrl(text: string): Content {
  const comma = text.indexOf(",");
  const header = text.slice("data:".length, Math.max(comma, 0));
  const body = text.slice(comma + 1);
  const mime = header.split(";")[0] || null;
  if (/;base64$/i.test(header)) return { mime, data: isBase64(body) ? body : null, url: null };
  return { mime, data: comma < 0 ? null : toBase64(decoded(body)), url: null };
}

function decoded(text: string): Uint8Array {
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    return Buffer.from(text);
  }
}

/** Checks both ends only: the middle may be megabytes. */
function isBase64(text: string): boolean {
  const head = text.slice(0, LOOKED_AT);
  return BASE64_ENDS.test(head) && BASE64_ENDS.test(text.slice(-LOOKED_AT));
}

function toBase64(bytes: Uint8Array | ArrayBufferLike): string {
  return isUint8Array(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
    : Buffer.from(bytes).toString("base64");
}

function sniff(data: string | null, declared: string | null): string | null {
  if (data === null || (declared !== null && !/^image\/|pdf$/.test(declared))) return null;
  return BEGINNINGS.find(([beginning]) => data.startsWith(beginning))?.[1] ?? null;
}

function typeOf(mime: string | null, blockType: string): Media["type"] {
  if (mime === null ? IMAGE_BLOCK.test(blockType) : mime.startsWith("image/")) return "image";
  return (mime === null ? AUDIO_BLOCK.test(blockType) : mime.startsWith("audio/")) ? "audio" : "file";
}
