/**
 * BM25 over the segments of a scope. A word weighs by how few documents have it, in all of the scope and not only in
 * what is searched, so that a document's score does not depend on how the index is cut into segments.
 */
import type { TermPostings } from "./index/pages.ts";
import { visitPostings } from "./index/posting-list.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { SegmentView } from "./segment-reader.ts";

/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH = 0.75;

export interface ScopeStatistics {
  readonly documents: number;
  /** Words of an average document. */
  readonly meanWords: number;
}

/** What the index has for one term: a list for each of its ranges. */
export type TermLists = readonly (readonly TermPostings[])[];

/** For each term, and for a phrase for each of its words, how much it weighs. */
export type Weights = readonly (readonly number[])[];

/** How many documents have a term; `found` is its lists in every segment of the scope. */
export function weightsOf(
  terms: readonly QueryTerm[],
  found: (term: number) => Iterable<TermLists>,
  { documents }: ScopeStatistics,
): Weights {
  return terms.map((term, i) => {
    const holders: number[] = [];
    for (const lists of found(i))
      lists.forEach((list, range) => {
        const place = term.type === "phrase" ? range : 0;
        holders[place] = (holders[place] ?? 0) + list.reduce((sum, entry) => sum + entry.documents, 0);
      });
    return holders.map((count) => weightOf(Math.min(count, documents), documents));
  });
}

function weightOf(holders: number, documents: number): number {
  return Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));
}

export interface SegmentScores {
  /** What is certain: from words and prefixes. */
  readonly certain: Float64Array;
  /** What each phrase adds if its words really follow each other; empty when no phrase is asked for. */
  readonly phrases: readonly Float64Array[];
}

export function scoreSegment(
  view: SegmentView,
  terms: readonly QueryTerm[],
  lists: readonly TermLists[],
  weights: Weights,
  { meanWords }: ScopeStatistics,
): SegmentScores {
  const counter = new Counter(view, meanWords);
  const certain = new Float64Array(view.documents);
  const phrases: Float64Array[] = [];
  terms.forEach((term, i) => {
    const own = lists[i] ?? [];
    const weight = weights[i] ?? [];
    if (term.type === "phrase") phrases.push(scorePhrase(view, own, weight, counter));
    else counter.add(own.flat(), weight[0] ?? 0, certain);
  });
  return { certain, phrases };
}

/** Of documents that have all the words; the others get nothing. */
function scorePhrase(
  view: SegmentView,
  words: TermLists,
  weights: readonly number[],
  counter: Counter,
): Float64Array {
  const scores = new Float64Array(view.documents);
  const present = new Uint16Array(view.documents);
  words.forEach((list, i) => {
    for (const { postings } of list)
      visitPostings(postings, (document) => {
        present[document] = (present[document] ?? 0) + 1;
      });
    counter.add(list, weights[i] ?? 0, scores);
  });
  for (let document = 0; document < scores.length; document++)
    if (present[document] !== words.length) scores[document] = 0;
  return scores;
}

/** Adds up how often a term stands in each document before it counts, because more of the same adds less and less. */
class Counter {
  readonly #counts: Uint32Array;
  readonly #touched: Int32Array;
  readonly #lengths: Float64Array;

  constructor({ documents, columns }: SegmentView, meanWords: number) {
    this.#counts = new Uint32Array(documents);
    this.#touched = new Int32Array(documents);
    this.#lengths = Float64Array.from(
      columns.words,
      (words) => SATURATION * (1 - LENGTH + (LENGTH * words) / Math.max(1, meanWords)),
    );
  }

  add(lists: readonly TermPostings[], weight: number, scores: Float64Array): void {
    let touched = 0;
    for (const { postings } of lists)
      visitPostings(postings, (document, count) => {
        const before = this.#counts[document] ?? 0;
        if (before === 0) this.#touched[touched++] = document;
        this.#counts[document] = before + count;
      });
    for (let i = 0; i < touched; i++) {
      const document = this.#touched[i] ?? 0;
      const count = this.#counts[document] ?? 0;
      scores[document] =
        (scores[document] ?? 0) +
        (weight * count * (SATURATION + 1)) / (count + (this.#lengths[document] ?? SATURATION));
      this.#counts[document] = 0;
    }
  }
}
