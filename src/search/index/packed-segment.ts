/** A packed segment in memory. It opens instantly, because terms are looked up in the packed bytes. */
import { ByteReader } from "../../text/varints.ts";
import type { Term } from "../terms.ts";
import { BLOCK_TERMS, checksumOf, SEGMENT_MARK, SEGMENT_START } from "./packed-segment-writer.ts";
import { TermCursor, type TermPostings, USUAL_TERM } from "./term-entries.ts";

/** Shared buffer for looking up one term; the lookup is synchronous. */
const SCRATCH = new Uint8Array(USUAL_TERM);

/** False for segments packed by another version. */
export function isSegment(bytes: Uint8Array): boolean {
  return SEGMENT_MARK.every((byte, i) => bytes[i] === byte);
}

/** Verifies the checksum. This is slow for large segments, so searches do not do it. */
export function isIntact(bytes: Uint8Array): boolean {
  if (!isSegment(bytes) || bytes.length < SEGMENT_START) return false;
  const { buffer, byteOffset } = bytes;
  return new DataView(buffer, byteOffset).getUint32(SEGMENT_MARK.length) === checksumOf(bytes);
}

/** Null for a segment packed by another version, or too damaged to open. */
export function openIfSegment(bytes: Uint8Array): PackedSegment | null {
  if (!isSegment(bytes)) return null;
  try {
    return new PackedSegment(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export class PackedSegment {
  /** The size of its number range, whether the numbers are memories or not. */
  readonly documents: number;
  /** Number of documents with words. */
  readonly withWords: number;
  /** Words of all documents together. */
  readonly words: number;
  readonly erased: number;
  readonly terms: number;
  /** Number of words of each document. */
  readonly lengths: Uint32Array;
  readonly #packedTimes: Uint8Array;
  /** The offset of each block in the table. */
  readonly #blocks: Uint32Array;
  readonly #table: Uint8Array;
  readonly #postings: Uint8Array;
  #times: Float64Array | null = null;

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes, SEGMENT_START);
    this.documents = reader.varint();
    this.withWords = reader.varint();
    this.words = reader.varint();
    this.erased = reader.varint();
    this.terms = reader.varint();
    this.lengths = unpackNumbers(reader.bytes(reader.varint()), this.documents);
    this.#packedTimes = reader.bytes(reader.varint());
    this.#blocks = summedUp(
      unpackNumbers(reader.bytes(reader.varint()), Math.ceil(this.terms / BLOCK_TERMS)),
    );
    this.#table = reader.bytes(reader.varint());
    this.#postings = reader.bytes(reader.varint());
    if (reader.position !== bytes.length) throw new RangeError("this is not a packed segment");
  }

  /** The creation time of each document. Unpacked on first use: most searches need few. */
  get times(): Float64Array {
    this.#times ??= unpackTimes(this.#packedTimes, this.documents);
    return this.#times;
  }

  find(term: Term): TermPostings | undefined {
    const block = this.#blockOf(term);
    if (block < 0) return undefined;
    const cursor = new TermCursor(this.#table, this.#blocks[block] ?? 0, SCRATCH, this.#postings);
    const count = Math.min(BLOCK_TERMS, this.terms - block * BLOCK_TERMS);
    for (let i = 0; i < count; i++) {
      cursor.step();
      const order = cursor.compare(term);
      if (order === 0) return cursor.current();
      if (order > 0) return undefined;
    }
    return undefined;
  }

  /** All terms, in order. */
  *everyTerm(): Generator<TermPostings> {
    const scratch = new Uint8Array(USUAL_TERM);
    for (let term = 0; term < this.terms; ) {
      const start = this.#blocks[term / BLOCK_TERMS] ?? 0;
      const cursor = new TermCursor(this.#table, start, scratch, this.#postings);
      const end = Math.min(this.terms, term + BLOCK_TERMS);
      for (; term < end; term++) {
        cursor.step();
        yield cursor.current();
      }
    }
  }

  /** The last block that begins at or before the term. */
  #blockOf(term: Term): number {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareFirst(middle, term) > 0) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** The first term of a block is stored in full, so it is compared in the packed bytes. */
  #compareFirst(block: number, term: Term): number {
    const table = this.#table;
    let position = this.#blocks[block] ?? 0;
    while ((table[position++] ?? 0) >= 0x80);
    // The first term of a block shares no prefix.
    position++;
    const low = table[position++] ?? 0;
    const length = low < 0x80 ? low : (low & 0x7f) + 0x80 * (table[position++] ?? 0);
    for (let i = 0; i < length && i < term.length; i++) {
      const difference = (table[position + i] ?? 0) - (term[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - term.length;
  }
}

function unpackNumbers(packed: Uint8Array, count: number): Uint32Array {
  const reader = new ByteReader(packed);
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = reader.varint();
  return numbers;
}

function summedUp(numbers: Uint32Array): Uint32Array {
  for (let i = 1; i < numbers.length; i++) numbers[i] = (numbers[i] ?? 0) + (numbers[i - 1] ?? 0);
  return numbers;
}

function unpackTimes(packed: Uint8Array, count: number): Float64Array {
  const reader = new ByteReader(packed);
  const times = new Float64Array(count);
  let before = 0;
  for (let i = 0; i < count; i++) {
    before += reader.signed();
    times[i] = before;
  }
  return times;
}
