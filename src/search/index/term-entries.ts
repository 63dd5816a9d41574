/**
 * Sorted terms as consecutive bytes. Each term omits the prefix that it shares with the previous one and stores its
 * document count. Its postings follow it, or are in a separate list.
 */
import { ByteReader, type ByteWriter } from "../../text/varints.ts";
import type { Term } from "../terms.ts";

export interface TermPostings {
  readonly term: Term;
  /** Number of documents with the term. */
  readonly documents: number;
  readonly postings: Uint8Array;
}

/** Takes terms in ascending order. */
export interface TermWriter {
  addTerm(entry: TermPostings): void;
}

/** Sorts before the first term. */
export const NO_TERM: Term = new Uint8Array(0);

/** Writes everything except the postings. `before` is the previous term. */
export function writeTermHead(
  bytes: ByteWriter,
  before: Term,
  { term, documents, postings }: TermPostings,
): void {
  const shared = sharedLength(before, term);
  bytes.varint(shared);
  bytes.varint(term.length - shared);
  bytes.bytes(term, shared);
  bytes.varint(documents);
  bytes.varint(postings.length);
}

function sharedLength(a: Term, b: Term): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** Room for nearly every term: a word has at most 64 units of three bytes each, and a pair has two. */
export const USUAL_TERM = 512;

/** Iterates over the terms in their bytes. Skipped terms allocate nothing. */
export class TermCursor {
  readonly #reader: ByteReader;
  readonly #size: number;
  readonly #postings: Uint8Array;
  readonly #areApart: boolean;
  #term: Uint8Array;
  #length = 0;
  #documents = 0;
  #start = 0;
  #end = 0;

  /**
   * `scratch` receives the current term. `apart` is the separate list of postings, if they do not follow their terms;
   * the first number is the offset of the first list.
   */
  constructor(bytes: Uint8Array, position: number, scratch: Uint8Array, apart?: Uint8Array) {
    this.#reader = new ByteReader(bytes, position);
    this.#size = bytes.length;
    this.#term = scratch;
    this.#areApart = apart !== undefined;
    this.#postings = apart ?? bytes;
    if (this.#areApart) this.#end = this.#reader.varint();
  }

  get isDone(): boolean {
    return this.#reader.isDone;
  }

  step(): void {
    const reader = this.#reader;
    const shared = reader.varint();
    // Damaged bytes may claim any length.
    this.#length = Math.min(shared + reader.varint(), this.#size);
    if (this.#length > this.#term.length) this.#makeRoom();
    for (let i = shared; i < this.#length; i++) this.#term[i] = reader.byte();
    this.#documents = reader.varint();
    const size = reader.varint();
    this.#start = this.#areApart ? this.#end : reader.position;
    this.#end = this.#start + size;
    if (!this.#areApart) reader.position = this.#end;
  }

  compare(other: Term): number {
    for (let i = 0; i < this.#length && i < other.length; i++) {
      const difference = (this.#term[i] ?? 0) - (other[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return this.#length - other.length;
  }

  current(): TermPostings {
    const postings = this.#postings.subarray(this.#start, this.#end);
    return { term: this.#term.slice(0, this.#length), documents: this.#documents, postings };
  }

  #makeRoom(): void {
    const larger = new Uint8Array(2 * this.#length);
    larger.set(this.#term);
    this.#term = larger;
  }
}
