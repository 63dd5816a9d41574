/**
 * The content of a slice of a file. UTF-8 is returned exactly. If the file as a whole has another text encoding, the
 * slice is decoded accordingly and its bytes are added; binary data is returned as bytes only.
 */

import type { FileStore } from "../../store/file-store.ts";
import { detectEncoding, type Encoding } from "./explore/detect-encoding.ts";

export interface SliceText {
  /** Null for bytes that are not text. */
  readonly text: string | null;
  /** The encoding used for the text; null if it is not text. */
  readonly encoding: Encoding | null;
  /** The bytes, if they cannot be restored from the text. */
  readonly base64: string | null;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `fileEncoding` is the encoding of the whole file; null if it is unknown or the file is not text. */
export function sliceText(bytes: Uint8Array, fileEncoding: Encoding | null): SliceText {
  const exact = isUtf16(fileEncoding) ? null : decodeExactly(bytes);
  if (exact !== null) return { text: exact, encoding: "utf-8", base64: null };
  const base64 = Buffer.from(bytes).toString("base64");
  if (fileEncoding === null || (!isUtf16(fileEncoding) && bytes.includes(0)))
    return { text: null, encoding: null, base64 };
  const text = new TextDecoder(fileEncoding).decode(bytes).toWellFormed();
  return { text, encoding: fileEncoding, base64 };
}

/** Null if the file's encoding must be checked: zeros occur in UTF-16 and are valid UTF-8. */
export function plainText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : decodeExactly(bytes);
}

function decodeExactly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    // Not UTF-8: the caller tries other encodings.
    return null;
  }
}

export function isUtf16(encoding: Encoding | null): encoding is "utf-16le" | "utf-16be" {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

/** The same number of bytes as in an exploration. */
const HEAD_BYTES = 65_536;

/** Null if it is not text. */
export async function fileEncoding(
  store: Pick<FileStore, "fileBytes">,
  id: string,
): Promise<Encoding | null> {
  const head = await store.fileBytes(id, 0, HEAD_BYTES);
  return head === undefined ? null : detectEncoding(head);
}

/** The same for callers that only need to detect UTF-16 and have the beginning: most files have no zeros. */
export function headEncoding(beginning: Uint8Array): Encoding | null {
  const head = beginning.subarray(0, HEAD_BYTES);
  const isMarked = head[0] === 0xff || head[0] === 0xfe;
  return isMarked || head.includes(0) ? detectEncoding(head) : null;
}
