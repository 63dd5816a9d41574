/**
 * The sorted terms of a segment with their postings, cut into pages: a store keeps each under its first term and knows
 * nothing else of it. Inside a page, a term leaves out what it begins with like the one before.
 */

import type { Term } from "../../../search/terms.ts";
import { ByteReader, ByteWriter } from "../../../text/varints.ts";

export interface Page {
  readonly firstTerm: Term;
  readonly page: Uint8Array;
}

export interface TermPostings {
  readonly term: Term;
  /** How many documents there are. */
  readonly documents: number;
  readonly postings: Uint8Array;
}

/** Small enough to be read for one term, large enough to cost little in rows. */
const PAGE_BYTES = 3_500;
const NO_TERM = new Uint8Array(0);
/** Behind every term: no kind of them begins with this byte. */
const LAST_TERM = Uint8Array.of(0xff);

/** Terms come in ascending order. */
export class PageWriter {
  readonly pages: Page[] = [];
  readonly #bytes = new ByteWriter(2 * PAGE_BYTES);
  #firstTerm: Term | null = null;
  #last: Term = NO_TERM;

  add({ term, documents, postings }: TermPostings): void {
    if (this.#bytes.length > 0 && this.#bytes.length + postings.length > PAGE_BYTES) this.finish();
    this.#firstTerm ??= term;
    const shared = sharedLength(this.#last, term);
    this.#bytes.varint(shared);
    this.#bytes.varint(term.length - shared);
    this.#bytes.bytes(term, shared);
    this.#bytes.varint(documents);
    this.#bytes.varint(postings.length);
    this.#bytes.bytes(postings);
    this.#last = term;
  }

  finish(): void {
    if (this.#firstTerm === null) return;
    this.pages.push({ firstTerm: this.#firstTerm, page: this.#bytes.copy() });
    this.#bytes.clear();
    this.#firstTerm = null;
    this.#last = NO_TERM;
  }
}

/** Everything on a page, in order. */
export function readPage(page: Uint8Array): Generator<TermPostings> {
  return readTerms(page, NO_TERM, LAST_TERM);
}

/** What a page holds of the terms from the first to the last, both inclusive. The others are passed over as they lie. */
export function* readTerms(page: Uint8Array, from: Term, to: Term): Generator<TermPostings> {
  const reader = new ByteReader(page);
  let term = new Uint8Array(64);
  while (!reader.isDone) {
    const shared = reader.varint();
    const length = shared + reader.varint();
    if (length > term.length) term = enlarged(term, length);
    for (let i = shared; i < length; i++) term[i] = reader.byte();
    const documents = reader.varint();
    const size = reader.varint();
    if (compareStart(term, length, to) > 0) return;
    if (compareStart(term, length, from) < 0) reader.position += size;
    else yield { term: term.slice(0, length), documents, postings: reader.bytes(size) };
  }
}

/** The first bytes of something, as `compareBytes` would order them. */
function compareStart(bytes: Uint8Array, length: number, other: Uint8Array): number {
  for (let i = 0; i < length && i < other.length; i++) {
    const difference = (bytes[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - other.length;
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * length);
  larger.set(bytes);
  return larger;
}

function sharedLength(a: Term, b: Term): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
