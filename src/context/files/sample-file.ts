/**
 * The beginning, the middle and the end of a text file, cut between characters, for a reader that cannot read all of
 * it.
 */
import type { ScopedStore } from "../../store/store.ts";
import { wholeCharacters } from "../../text/cut-text.ts";
import { detectEncoding, type Encoding } from "./explore/detect-encoding.ts";

export interface FileHead {
  readonly encoding: Encoding;
  readonly text: string;
}

interface FileSample {
  readonly place: string;
  readonly text: string;
}

/** Enough bytes to detect the kind of a file; the same as in an exploration. */
const HEAD_BYTES = 65_536;
/** Characters of each sample. */
const SAMPLE = 2_400;
/** A character takes at most four bytes. */
const SAMPLE_BYTES = SAMPLE * 4;

/** Null if the file is missing or not text. */
export async function readHead(store: ScopedStore, id: string): Promise<FileHead | null> {
  const bytes = await store.fileBytes(id, 0, HEAD_BYTES);
  const encoding = bytes === undefined ? null : detectEncoding(bytes);
  return bytes === undefined || encoding === null ? null : { encoding, text: decode(bytes, encoding) };
}

export async function sampleFile(
  store: ScopedStore,
  { id, bytes }: { readonly id: string; readonly bytes: number },
  { encoding, text }: FileHead,
): Promise<FileSample[]> {
  if (bytes <= HEAD_BYTES && text.length <= 3 * SAMPLE) return [{ place: "The whole file", text }];
  const read = async (start: number) => {
    // In UTF-16 a character begins at an even byte.
    const from = Math.max(0, start - (start % 2));
    return decode((await store.fileBytes(id, from, from + SAMPLE_BYTES)) ?? new Uint8Array(), encoding);
  };
  const [middle, end] = [await read(Math.floor(bytes / 2)), await read(bytes - SAMPLE_BYTES)];
  return [
    { place: "Start of the file", text: first(text) },
    { place: "Middle of the file", text: first(middle) },
    { place: "End of the file", text: last(end) },
  ];
}

/** A split character at either end is left out. */
function decode(bytes: Uint8Array, encoding: Encoding): string {
  const isInside = (byte: number | undefined) => byte !== undefined && byte >> 6 === 0b10;
  let start = 0;
  while (encoding === "utf-8" && start < 3 && isInside(bytes[start])) start++;
  const text = new TextDecoder(encoding).decode(bytes.subarray(start), { stream: true });
  return text.toWellFormed();
}

function first(text: string): string {
  return text.slice(0, wholeCharacters(text, SAMPLE));
}

function last(text: string): string {
  return text.slice(wholeCharacters(text, Math.max(0, text.length - SAMPLE)));
}
