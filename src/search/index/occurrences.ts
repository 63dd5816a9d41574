/**
 * Collects which terms occur in which documents: flat arrays take the pairs document by document, and are then inverted
 * into the documents of each term. There are millions of pairs, so no objects are allocated for them.
 */
import { ByteWriter } from "../../text/varints.ts";
import { writePosting } from "./posting-list.ts";

/** Small, because many segments begin with a single document; it doubles when full. */
const FIRST_ROOM = 256;

export class Occurrences {
  /** By term: the last document with the term, and the position of that pair. */
  #lastDocument = new Int32Array(FIRST_ROOM).fill(-1);
  #lastPair = new Int32Array(FIRST_ROOM);
  #terms = new Int32Array(FIRST_ROOM);
  #documents = new Int32Array(FIRST_ROOM);
  #counts = new Int32Array(FIRST_ROOM);
  #pairs = 0;
  #termCount = 0;

  /** Terms are numbered from 0; numbers may be unused. Documents must come in ascending order. */
  add(term: number, document: number): void {
    if (term >= this.#termCount) this.#addTerm(term);
    if (this.#lastDocument[term] === document) {
      const pair = this.#lastPair[term] ?? 0;
      this.#counts[pair] = (this.#counts[pair] ?? 0) + 1;
      return;
    }
    if (this.#pairs === this.#terms.length) this.#grow();
    this.#terms[this.#pairs] = term;
    this.#documents[this.#pairs] = document;
    this.#counts[this.#pairs] = 1;
    this.#lastDocument[term] = document;
    this.#lastPair[term] = this.#pairs++;
  }

  /** Whether the term was added for any document. */
  has(term: number): boolean {
    return (this.#lastDocument[term] ?? -1) >= 0;
  }

  /** Whether the term was added for this document, which must be the latest one. */
  isIn(term: number, document: number): boolean {
    return this.#lastDocument[term] === document;
  }

  /** The postings of each term, by term number. */
  postings(): OccurrenceLists {
    const starts = new Int32Array(this.#termCount + 1);
    for (let i = 0; i < this.#pairs; i++) {
      const next = (this.#terms[i] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let term = 0; term < this.#termCount; term++)
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    const documents = new Int32Array(this.#pairs);
    const counts = new Int32Array(this.#pairs);
    const filled = starts.slice();
    for (let i = 0; i < this.#pairs; i++) {
      const term = this.#terms[i] ?? 0;
      const place = filled[term] ?? 0;
      documents[place] = this.#documents[i] ?? 0;
      counts[place] = this.#counts[i] ?? 1;
      filled[term] = place + 1;
    }
    return new OccurrenceLists(starts, documents, counts);
  }

  #addTerm(term: number): void {
    this.#termCount = term + 1;
    if (term < this.#lastDocument.length) return;
    const length = 2 * Math.max(term, this.#lastDocument.length);
    const larger = new Int32Array(length).fill(-1);
    larger.set(this.#lastDocument);
    this.#lastDocument = larger;
    this.#lastPair = enlarged(this.#lastPair, length);
  }

  #grow(): void {
    this.#terms = enlarged(this.#terms);
    this.#documents = enlarged(this.#documents);
    this.#counts = enlarged(this.#counts);
  }
}

function enlarged(array: Int32Array, length = 2 * array.length): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

class OccurrenceLists {
  readonly #starts: Int32Array;
  readonly #documents: Int32Array;
  readonly #counts: Int32Array;
  readonly #bytes = new ByteWriter(1 << 12);

  constructor(starts: Int32Array, documents: Int32Array, counts: Int32Array) {
    this.#starts = starts;
    this.#documents = documents;
    this.#counts = counts;
  }

  documents(term: number): number {
    if (term + 1 >= this.#starts.length) return 0;
    return (this.#starts[term + 1] ?? 0) - (this.#starts[term] ?? 0);
  }

  /** The result is valid until the next call. */
  postings(term: number): Uint8Array {
    this.#bytes.clear();
    const end = this.#starts[term + 1] ?? 0;
    let before = -1;
    for (let i = this.#starts[term] ?? 0; i < end; i++) {
      const document = this.#documents[i] ?? 0;
      writePosting(this.#bytes, document - before - 1, this.#counts[i] ?? 1);
      before = document;
    }
    return this.#bytes.view();
  }
}
