/**
 * How an original lies in the database, on either engine: short text as it is, longer content compressed when
 * that saves room, the rest as raw bytes. What comes back is exactly what went in: a string where the bytes are
 * valid UTF-8 without NUL, the bytes otherwise.
 */
import { hash } from "node:crypto";
import zlib from "node:zlib";
import { decodeExactly } from "../text/utf8.ts";

export type ContentEncoding = "text" | "bytes" | "zstd";

interface EncodedContent {
  readonly encoding: ContentEncoding;
  /** A string only for the encoding `text`. */
  readonly stored: string | Uint8Array;
}

/**
 * Compressing shorter texts as well would save 6 % of the file. Each frame costs as much time when it is written as a tenth of
 * the commit of its turn, and time again on every read.
 */
const COMPRESS_ABOVE_BYTES = 2048;
const LARGEST_CHUNK = 64 * 1024;
/** Room that stays free tells the decoder that nothing follows. */
const SPARE = 64;
/** The header of a frame without a dictionary that gives the size of its content, up to 64 kB, in two bytes. */
const TWO_BYTE_SIZE = 0x60;
const COMPRESSION = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } };

export function encodeContent(content: string | Uint8Array): EncodedContent {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  return compressed(bytes) ?? uncompressed(content, bytes);
}

/** Null for what was erased. `stored` may be text or bytes, whichever the engine hands out. */
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
  // A frame takes no more room than the content; left to itself, each call would take 16 kB of memory.
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
 * The original's bytes. What cannot be decompressed comes as it lies there: it does not match its digest, and
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

/** SHA-256 of the original's bytes; null where they cannot be had, or are gone. */
export function hashOriginal(encoding: string | null, stored: Uint8Array | null): Uint8Array | null {
  if (stored === null || encoding === "erased") return null;
  const bytes = originalBytes(encoding, stored);
  return encoding === "zstd" && bytes === stored ? null : hash("sha256", bytes, "buffer");
}

/** Left to itself, each call would take 16 kB of memory; a little more than the content is enough. */
function roomFor(frame: Uint8Array): number {
  return Math.min(contentSize(frame), LARGEST_CHUNK) + SPARE;
}

/** What the header of a frame says of its content, for the frames that are written here; otherwise a guess. */
function contentSize(frame: Uint8Array): number {
  const byte = (place: number) => frame[place] ?? 0;
  if (byte(4) === TWO_BYTE_SIZE) return 256 + byte(5) + byte(6) * 2 ** 8;
  return LARGEST_CHUNK;
}
