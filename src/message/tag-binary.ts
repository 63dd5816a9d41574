/**
 * Bytes and URLs inside JSON. The AI SDK allows Uint8Array, Buffer, ArrayBuffer and URL for images and files;
 * each becomes an object under a tag key. Keys of the caller's objects that look like the tag get one more `$`,
 * so nothing a caller writes can be mistaken for a tag.
 */
import { isArrayBuffer, isUint8Array } from "node:util/types";
import { PalimpsestError } from "../errors.ts";

const TAG = "$palimpsest";
const LOOKS_LIKE_TAG = /^\$+palimpsest$/;
const ESCAPED_TAG = /^\$\$+palimpsest$/;

export function isBinary(value: unknown): value is Uint8Array | ArrayBuffer | URL {
  // Checks the kind instead of the class, to include a Buffer of another realm.
  return isUint8Array(value) || isArrayBuffer(value) || value instanceof URL;
}

/** A copy that JSON preserves. Expects a value for which `fitOf` returned `binary`. */
export function tagBinary(value: unknown): unknown {
  if (isUint8Array(value)) return { [TAG]: "Uint8Array", data: toBase64(value) };
  if (isArrayBuffer(value)) return { [TAG]: "ArrayBuffer", data: toBase64(new Uint8Array(value)) };
  if (value instanceof URL) return { [TAG]: "URL", data: value.href };
  if (Array.isArray(value)) return value.map(tagBinary);
  if (typeof value !== "object" || value === null) return value;
  // fromEntries defines properties, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      LOOKS_LIKE_TAG.test(key) ? `$${key}` : key,
      tagBinary(child),
    ]),
  );
}

export function untagBinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untagBinary);
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, TAG)) return readTag(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      ESCAPED_TAG.test(key) ? key.slice(1) : key,
      untagBinary(child),
    ]),
  );
}

function readTag(tagged: { readonly [TAG]?: unknown; readonly data?: unknown }): unknown {
  const { [TAG]: kind, data } = tagged;
  if (typeof data === "string") {
    if (kind === "Uint8Array") return fromBase64(data);
    if (kind === "ArrayBuffer") return fromBase64(data).buffer;
    if (kind === "URL" && URL.canParse(data)) return new URL(data);
  }
  throw new PalimpsestError("store-corrupt", `a stored message contains a binary value of unknown type`, {
    advice: "List damaged messages with: lcm verify. A newer version may have written it.",
  });
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Copies into new memory: a Buffer may be a slice of a shared pool. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64"));
}
