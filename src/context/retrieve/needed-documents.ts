/** The documents of a segment with the trigrams that a pattern needs. The pattern itself is tried only on these. */

import { visitPostings } from "../../search/index/posting-list.ts";
import { trigramTerm } from "../../search/terms.ts";
import type { TermRange } from "../../store/search-store.ts";
import type { Needs } from "./compile-pattern.ts";
import { only } from "./parse-query.ts";
import type { Found } from "./segment-reader.ts";

/** A few trigrams of a long text are nearly as selective as all of them, and are read much faster. */
const MOST_TRIGRAMS = 6;

/** The ranges to read from the index, in the order in which `neededDocuments` uses them. */
export function neededRanges(needs: Needs): readonly TermRange[] {
  if (needs.type !== "trigrams") return needs.of.flatMap(neededRanges);
  return spread(needs.trigrams).map((trigram) => only(trigramTerm(trigram)));
}

/** Evenly distributed over the text. */
function spread(trigrams: readonly number[]): readonly number[] {
  if (trigrams.length <= MOST_TRIGRAMS) return trigrams;
  const step = (trigrams.length - 1) / (MOST_TRIGRAMS - 1);
  return Array.from({ length: MOST_TRIGRAMS }, (_, i) => trigrams[Math.round(i * step)] ?? 0);
}

export function neededDocuments(needs: Needs, found: Found, documents: number): Uint8Array {
  return new Reading(found, documents).documentsFor(needs);
}

class Reading {
  readonly #found: Found;
  readonly #documents: number;
  #position = 0;

  constructor(found: Found, documents: number) {
    this.#found = found;
    this.#documents = documents;
  }

  documentsFor(needs: Needs): Uint8Array {
    if (needs.type === "trigrams") return this.#withAll(spread(needs.trigrams).length);
    const each = needs.of.map((one) => this.documentsFor(one));
    const [first = new Uint8Array(this.#documents).fill(needs.type === "all" ? 1 : 0), ...others] = each;
    for (const other of others) needs.type === "all" ? keepBoth(first, other) : keepEither(first, other);
    return first;
  }

  /** The documents that occur in each of the next lists. */
  #withAll(count: number): Uint8Array {
    const held = new Uint8Array(this.#documents);
    for (let i = 0; i < count; i++)
      for (const { postings } of this.#found[this.#position++] ?? [])
        visitPostings(postings, (document) => {
          if (held[document] === i) held[document] = i + 1;
        });
    for (let document = 0; document < held.length; document++)
      held[document] = held[document] === count ? 1 : 0;
    return held;
  }
}

function keepBoth(documents: Uint8Array, others: Uint8Array): void {
  for (let i = 0; i < documents.length; i++) documents[i] = (documents[i] ?? 0) & (others[i] ?? 0);
}

function keepEither(documents: Uint8Array, others: Uint8Array): void {
  for (let i = 0; i < documents.length; i++) documents[i] = (documents[i] ?? 0) | (others[i] ?? 0);
}
