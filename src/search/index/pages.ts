/**
 * Splits the sorted terms of a segment, with their postings, into pages. A store keeps each page under its first term
 * and does not read its content.
 */
import { ByteWriter } from "../../text/varints.ts";
import type { Term } from "../terms.ts";
import { NO_TERM, TermCursor, type TermPostings, type TermWriter, writeTermHead } from "./term-entries.ts";

export interface Page {
  readonly firstTerm: Term;
  readonly page: Uint8Array;
}

/** Small enough to read for one term, large enough to keep the number of rows low. */
const PAGE_BYTES = 3_500;
/** Sorts after every term: no term kind begins with this byte. */
const LAST_TERM = Uint8Array.of(0xff);

export class PageWriter implements TermWriter {
  readonly pages: Page[] = [];
  readonly #bytes = new ByteWriter(2 * PAGE_BYTES);
  #firstTerm: Term | null = null;
  #last: Term = NO_TERM;

  addTerm(entry: TermPostings): void {
    const { term, postings } = entry;
    if (this.#bytes.length > 0 && this.#bytes.length + postings.length > PAGE_BYTES) this.finishPage();
    this.#firstTerm ??= term;
    writeTermHead(this.#bytes, this.#last, entry);
    this.#bytes.bytes(postings);
    this.#last = term;
  }

  /** Makes the next term begin a new page. */
  finishPage(): void {
    if (this.#firstTerm === null) return;
    this.pages.push({ firstTerm: this.#firstTerm, page: this.#bytes.copy() });
    this.#bytes.clear();
    this.#firstTerm = null;
    this.#last = NO_TERM;
  }
}

/** All terms of the pages, in order. */
export function* readPages(pages: readonly Page[]): Generator<TermPostings> {
  for (const { page } of pages) yield* readTerms(page, NO_TERM, LAST_TERM);
}

/** The terms of a page between `from` and `to`, both inclusive. */
export function* readTerms(page: Uint8Array, from: Term, to: Term): Generator<TermPostings> {
  const cursor = new TermCursor(page, 0, new Uint8Array(64));
  while (!cursor.isDone) {
    cursor.step();
    if (cursor.compare(to) > 0) return;
    if (cursor.compare(from) >= 0) yield cursor.current();
  }
}
