/**
 * Packs a segment into one byte array that is searched without unpacking: a mark, a checksum of the rest, the facts about
 * its documents, the offsets of the term blocks, the terms in blocks for binary search, and the postings.
 */
import { ByteWriter } from "../../text/varints.ts";
import type { Term } from "../terms.ts";
import { NO_TERM, type TermPostings, type TermWriter, writeTermHead } from "./term-entries.ts";

/** Changes with the format and with the folding of words: a segment with another mark is rebuilt. */
export const SEGMENT_MARK = Uint8Array.of(0x50, 0x4d, 0x57, 2);
const CHECKSUM_BYTES = 4;
export const SEGMENT_START = SEGMENT_MARK.length + CHECKSUM_BYTES;
export const BLOCK_TERMS = 16;

interface DocumentFacts {
  /** Number of words in the text. */
  readonly words: number;
  readonly createdAt: number;
}

export class PackedSegmentWriter implements TermWriter {
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

  /** Records how many of its documents were erased at build time: the store reads it when it merges segments. */
  addErased(count: number): void {
    this.#erased += count;
  }

  addTerm(entry: TermPostings): void {
    if (this.#terms++ % BLOCK_TERMS === 0) this.#beginBlock();
    writeTermHead(this.#table, this.#last, entry);
    this.#postings.bytes(entry.postings);
    this.#last = entry.term;
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

/** FNV-1a of everything after the checksum. */
export function checksumOf(content: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = SEGMENT_START; i < content.length; i++)
    hash = Math.imul(hash ^ (content[i] as number), 0x01000193);
  return hash >>> 0;
}
