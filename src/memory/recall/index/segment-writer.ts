/**
 * Packs a segment: a mark, a checksum of what follows, the facts of its documents, where the blocks of terms begin, the terms in blocks that can
 * be found by halving, and the postings. Inside a block, a term leaves out what it begins with like the one before.
 */
import type { Term } from "../../../search/terms.ts";
import { ByteWriter } from "../../../text/varints.ts";

/** Changes with the format, and with how words are folded: what begins otherwise is made again. */
export const SEGMENT_MARK = Uint8Array.of(0x50, 0x4d, 0x57, 2);
const CHECKSUM_BYTES = 4;
export const SEGMENT_START = SEGMENT_MARK.length + CHECKSUM_BYTES;
export const BLOCK_TERMS = 16;
const NO_TERM = new Uint8Array(0);

export interface TermPostings {
  readonly term: Term;
  /** How many documents there are. */
  readonly documents: number;
  readonly postings: Uint8Array;
}

export interface DocumentFacts {
  /** How many words its text has. */
  readonly words: number;
  readonly createdAt: number;
}

export class SegmentWriter {
  readonly #lengths = new ByteWriter(1 << 10);
  readonly #times = new ByteWriter(1 << 10);
  readonly #blocks = new ByteWriter(1 << 8);
  readonly #table = new ByteWriter(1 << 12);
  readonly #postings = new ByteWriter(1 << 12);
  #documents = 0;
  #withWords = 0;
  #words = 0;
  #erased = 0;
  #before = 0;
  #terms = 0;
  #blockStart = 0;
  #last: Term = NO_TERM;

  addDocument({ words, createdAt }: DocumentFacts): void {
    this.#lengths.varint(words);
    this.#times.signed(createdAt - this.#before);
    this.#before = createdAt;
    this.#documents++;
    this.#words += words;
    if (words > 0) this.#withWords++;
  }

  /** How many of its documents were erased when it was made: the store asks for it when segments are merged. */
  addErased(count: number): void {
    this.#erased += count;
  }

  /** Terms come in ascending order. */
  addTerm({ term, documents, postings }: TermPostings): void {
    if (this.#terms++ % BLOCK_TERMS === 0) this.#beginBlock();
    const shared = sharedLength(this.#last, term);
    this.#table.varint(shared);
    this.#table.varint(term.length - shared);
    this.#table.bytes(term, shared);
    this.#table.varint(documents);
    this.#table.varint(postings.length);
    this.#postings.bytes(postings);
    // A caller may use the same bytes for the next kind of term.
    this.#last = term.slice();
  }

  finish(): Uint8Array {
    const bytes = new ByteWriter(64);
    bytes.bytes(SEGMENT_MARK);
    bytes.bytes(new Uint8Array(CHECKSUM_BYTES));
    for (const value of [this.#documents, this.#withWords, this.#words, this.#erased, this.#terms])
      bytes.varint(value);
    for (const part of [this.#lengths, this.#times, this.#blocks, this.#table, this.#postings]) {
      bytes.varint(part.length);
      bytes.bytes(part.view());
    }
    const content = bytes.copy();
    new DataView(content.buffer).setUint32(SEGMENT_MARK.length, checksumOf(content));
    return content;
  }

  #beginBlock(): void {
    this.#blocks.varint(this.#table.length - this.#blockStart);
    this.#blockStart = this.#table.length;
    this.#table.varint(this.#postings.length);
    this.#last = NO_TERM;
  }
}

/** FNV-1a of all that stands behind the checksum. */
export function checksumOf(content: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = SEGMENT_START; i < content.length; i++)
    hash = Math.imul(hash ^ (content[i] as number), 0x01000193);
  return hash >>> 0;
}

function sharedLength(a: Term, b: Term): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
