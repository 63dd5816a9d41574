/**
 * How an original is stored in the database, on either engine: short text unchanged, longer content compressed if that saves
 * space, the rest as raw bytes. Decoding returns exactly what was encoded: a string where the bytes are valid UTF-8 without
 * NUL, the bytes otherwise.
 */
import zlib from "node:zlib";
import { decodeExactly } from "../text/utf8.ts";

type ContentEncoding = "text" | "bytes" | "zstd";

interface EncodedContent {
  readonly encoding: ContentEncoding;
  /** A string only for the encoding `text`. */
  readonly stored: string | Uint8Array;
}

/**
 * Compressing shorter texts as well would save 6 % of the file. Writing a frame takes a tenth of the time of its turn's
 * commit, and every read takes time again.
 */
const COMPRESS_ABOVE_BYTES = 2048;
const LARGEST_CHUNK = 64 * 1024;
/** Spare room tells the decoder that nothing follows. */
const SPARE = 64;
/** The header of a frame without a dictionary that has the size of its content, up to 64 kB, in two bytes. */
const TWO_BYTE_SIZE = 0x60;
const COMPRESSION = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } };

export function encodeContent(content: string | Uint8Array): EncodedContent {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  return compressed(bytes) ?? uncompressed(content, bytes);
}

/** Null for erased content. `stored` may be text or bytes, whichever the engine returns. */
export function decodeContent(
  encoding: string | null,
  stored: string | Uint8Array | null,
): string | Uint8Array | null {
  if (stored === null || encoding === null || encoding === "erased") return null;
  if (typeof stored === "string") return stored;
  const bytes = originalBytes(encoding, stored);
  return decodeExactly(bytes) ?? bytes;
}

function compressed(bytes: Uint8Array): EncodedContent | undefined {
  if (bytes.byteLength <= COMPRESS_ABOVE_BYTES) return undefined;
  // A frame takes no more space than the content; by default, each call would allocate 16 kB.
  const chunkSize = Math.min(bytes.byteLength, LARGEST_CHUNK);
  const stored = zlib.zstdCompressSync(bytes, { ...COMPRESSION, chunkSize });
  return stored.byteLength < bytes.byteLength ? { encoding: "zstd", stored } : undefined;
}

/** A string with a NUL is kept as bytes: neither engine has a text type that holds every such string. */
function uncompressed(content: string | Uint8Array, bytes: Uint8Array): EncodedContent {
  const text = typeof content === "string" ? textWithoutNul(content) : decodeExactly(content);
  return text === undefined ? { encoding: "bytes", stored: bytes } : { encoding: "text", stored: text };
}

function textWithoutNul(text: string): string | undefined {
  return text.includes("\0") ? undefined : text.toWellFormed();
}

/**
 * The original's bytes. Bytes that cannot be decompressed are returned as stored: they do not match their digest, and
 * `verify` names the message instead of stopping at it.
 */
export function originalBytes(encoding: string | null, stored: Uint8Array): Uint8Array {
  if (encoding !== "zstd") return stored;
  try {
    return zlib.zstdDecompressSync(stored, { chunkSize: roomFor(stored) });
  } catch {
    return stored;
  }
}

/** By default, each call would allocate 16 kB; a little more than the content is enough. */
function roomFor(frame: Uint8Array): number {
  return Math.min(contentSize(frame), LARGEST_CHUNK) + SPARE;
}

/** The content size from a frame's header, for frames that this file writes; otherwise an estimate. */
function contentSize(frame: Uint8Array): number {
  const byte = (place: number) => frame[place] ?? 0;
  if (byte(4) === TWO_BYTE_SIZE) return 256 + byte(5) + byte(6) * 2 ** 8;
  return LARGEST_CHUNK;
}
