/** Reads the table of a segment as it lies. */
import type { Term } from "../../../search/terms.ts";
import { ByteReader } from "../../../text/varints.ts";
import type { TermPostings } from "./segment-writer.ts";

/** Longer than any term: a word has at most 64 units of three bytes each, and a pair has two. */
export const LONGEST_TERM = 512;

/** Goes through the terms of one block. `scratch` holds the one it stands at, and has room for the longest. */
export class TermCursor {
  readonly #reader: ByteReader;
  readonly #postings: Uint8Array;
  readonly #term: Uint8Array;
  #length = 0;
  #documents = 0;
  #start = 0;
  #end: number;

  constructor(table: Uint8Array, postings: Uint8Array, position: number, scratch: Uint8Array) {
    this.#term = scratch;
    this.#reader = new ByteReader(table, position);
    this.#postings = postings;
    this.#end = this.#reader.varint();
  }

  step(): void {
    const shared = this.#reader.varint();
    // What is damaged may claim any length.
    this.#length = Math.min(shared + this.#reader.varint(), LONGEST_TERM);
    for (let i = shared; i < this.#length; i++) this.#term[i] = this.#reader.byte();
    this.#documents = this.#reader.varint();
    this.#start = this.#end;
    this.#end += this.#reader.varint();
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
}
