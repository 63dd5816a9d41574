/** Facts about the documents of a segment that a search needs without reading them: time, speaker and length. */
import { ByteReader, ByteWriter } from "../../../text/varints.ts";
import { ROLES, type Role } from "../../../types.ts";

/** A summary has no role. */
export type Speaker = Role | "summary";
const SPEAKERS: readonly Speaker[] = [...ROLES, "summary"];

export interface DocumentFacts {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly speaker: Speaker;
  /** Number of words; 0 once erased. */
  readonly words: number;
}

/** One array for each fact, by the document's number in its segment. */
export interface DocumentColumns {
  readonly times: Float64Array;
  readonly speakers: Uint8Array;
  readonly words: Uint32Array;
}

export function packDocuments(documents: readonly DocumentFacts[]): Uint8Array {
  const bytes = new ByteWriter(documents.length * 6);
  let before = 0;
  for (const { time, speaker, words } of documents) {
    bytes.signed(time - before);
    bytes.varint(SPEAKERS.indexOf(speaker));
    bytes.varint(words);
    before = time;
  }
  return bytes.copy();
}

export function unpackDocuments(packed: Uint8Array, count: number): DocumentColumns {
  const reader = new ByteReader(packed);
  const times = new Float64Array(count);
  const speakers = new Uint8Array(count);
  const words = new Uint32Array(count);
  let before = 0;
  for (let i = 0; i < count; i++) {
    before += reader.signed();
    times[i] = before;
    speakers[i] = reader.varint();
    words[i] = reader.varint();
  }
  return { times, speakers, words };
}

export function speakerCode(speaker: Speaker): number {
  return SPEAKERS.indexOf(speaker);
}

export function speakerAt({ speakers }: DocumentColumns, document: number): Speaker {
  return SPEAKERS[speakers[document] ?? 0] ?? "user";
}

export function factsOf(columns: DocumentColumns): DocumentFacts[] {
  return Array.from(columns.times, (time, document) => ({
    time,
    speaker: speakerAt(columns, document),
    words: columns.words[document] ?? 0,
  }));
}
