/**
 * What stands in a slice of a file. UTF-8 is given exactly. Where the file as a whole reads as text in another way, the
 * slice is decoded in that way, and its bytes stand beside it; only what is no text is bytes alone.
 */

import type { FileStore } from "../../store/file-store.ts";
import { detectEncoding, type Encoding } from "./explore/detect-encoding.ts";

export interface SliceText {
  /** Null for bytes that are no text. */
  readonly text: string | null;
  /** How the bytes were read as text; null where they are none. */
  readonly encoding: Encoding | null;
  /** The bytes, where the text alone does not give them back. */
  readonly base64: string | null;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `fileEncoding` is how the whole file reads; null when that was not asked, or when it is no text. */
export function sliceText(bytes: Uint8Array, fileEncoding: Encoding | null): SliceText {
  const exact = isUtf16(fileEncoding) ? null : decodeExactly(bytes);
  if (exact !== null) return { text: exact, encoding: "utf-8", base64: null };
  const base64 = Buffer.from(bytes).toString("base64");
  if (fileEncoding === null || (!isUtf16(fileEncoding) && bytes.includes(0)))
    return { text: null, encoding: null, base64 };
  const text = new TextDecoder(fileEncoding).decode(bytes).toWellFormed();
  return { text, encoding: fileEncoding, base64 };
}

/** Null where the file has to be asked how it reads: zeros stand in UTF-16, and pass for UTF-8. */
export function plainText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : decodeExactly(bytes);
}

function decodeExactly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    // Not UTF-8: the caller looks for another way to read it.
    return null;
  }
}

export function isUtf16(encoding: Encoding | null): encoding is "utf-16le" | "utf-16be" {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

/** As much of a file as an exploration looks at. */
const HEAD_BYTES = 65_536;

/** Null for what is no text. */
export async function fileEncoding(
  store: Pick<FileStore, "fileBytes">,
  id: string,
): Promise<Encoding | null> {
  const head = await store.fileBytes(id, 0, HEAD_BYTES);
  return head === undefined ? null : detectEncoding(head);
}

/** The same for whoever only asks whether it is UTF-16, and has the beginning: most files have no zeros. */
export function headEncoding(beginning: Uint8Array): Encoding | null {
  const head = beginning.subarray(0, HEAD_BYTES);
  const isMarked = head[0] === 0xff || head[0] === 0xfe;
  return isMarked || head.includes(0) ? detectEncoding(head) : null;
}
