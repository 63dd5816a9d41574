/**
 * A file as pieces of text, however its source cuts it: read once, in constant memory, without its byte order mark.
 * The first piece tells how to decode and what kind of file it is.
 */
import { joinBytes } from "../../../text/join-bytes.ts";
import { detectEncoding, type Encoding } from "./detect-encoding.ts";
import type { ExploreInput } from "./exploration.ts";

/** Larger pieces would be held by every string cut from them. */
const PIECE = 65_536;

export interface DecodedText {
  /** The first bytes, for what is no text. */
  readonly head: Uint8Array;
  /** Null for what is no text. */
  readonly encoding: Encoding | null;
  readonly pieces: AsyncIterable<string>;
}

export async function decodeText(input: ExploreInput): Promise<DecodedText> {
  const chunks = cutBytes(input);
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < PIECE) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first.push(value.slice());
    length += value.length;
  }
  const head = joinBytes(first);
  const encoding = detectEncoding(head);
  return { head, encoding, pieces: decodePieces(head, chunks, encoding ?? "utf-8") };
}

/** A source may hand over any length at once. */
async function* cutBytes({ open, signal }: ExploreInput): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of open()) {
    signal?.throwIfAborted();
    for (let from = 0; from < chunk.length; from += PIECE) yield chunk.subarray(from, from + PIECE);
  }
  return undefined;
}

async function* decodePieces(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  try {
    yield decoder.decode(head, { stream: true });
    for await (const chunk of rest) yield decoder.decode(chunk, { stream: true });
    const last = decoder.decode();
    if (last !== "") yield last;
  } finally {
    await rest.return?.(undefined);
  }
}
