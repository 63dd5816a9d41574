/**
 * BM25 over the segments of a scope. The weight of a word depends on its document frequency in the whole scope and not
 * only in the searched part, so that a document's score does not depend on the division into segments.
 */

import { visitPostings } from "../../search/index/posting-list.ts";
import type { TermPostings } from "../../search/index/term-entries.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { SegmentView } from "./segment-reader.ts";

/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH = 0.75;
/** What a name adds, as a multiple of the highest score of words: they outweigh neither half of it. */
const NAME = 3;

export interface ScopeStatistics {
  readonly documents: number;
  /** Mean number of words of a document. */
  readonly meanWords: number;
}

/** The index entries of one term: a list for each of its ranges. */
export type TermLists = readonly (readonly TermPostings[])[];

/** The weight of each term, and for a phrase of each of its words; 0 if it occurs nowhere. */
export type Weights = readonly (readonly number[])[];

/** Computes document frequencies; `found` contains the term's lists from every segment of the scope. */
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

/** The inverse document frequency of a term; 0 if it occurs nowhere. */
export function weightOf(holders: number, documents: number): number {
  return holders === 0 ? 0 : Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));
}

export interface SegmentScores {
  /** Documents with a score, ascending. */
  readonly documents: Int32Array;
  /** The certain part of the score: from words and prefixes. */
  certainOf(document: number): number;
  /** What each phrase adds if its words are really consecutive; empty if the query has no phrase. */
  readonly phrases: readonly Float64Array[];
}

/** If a smaller share of the documents has the words, no array of the segment's size is created. */
const FEW = 1 / 64;

/** Scores segments one by one with the same workspace. */
export class Scorer {
  readonly #terms: readonly QueryTerm[];
  readonly #weights: Weights;
  readonly #meanWords: number;
  /** Above the highest score of words alone, so that documents with a name from the query come first. */
  readonly #most: number;
  /** Occurrences of a term in each document; all 0 between two terms. */
  #counts = new Uint32Array(0);
  #touched = new Int32Array(0);

  constructor(terms: readonly QueryTerm[], weights: Weights, { meanWords }: ScopeStatistics) {
    this.#terms = terms;
    this.#weights = weights;
    this.#meanWords = Math.max(1, meanWords);
    const ofWords = weights.filter((_, i) => terms[i]?.type !== "phrase").flat();
    this.#most = (SATURATION + 1) * ofWords.reduce((sum, weight) => sum + weight, 0);
  }

  score(view: SegmentView, lists: readonly TermLists[]): SegmentScores {
    const hasPhrases = this.#terms.some((term) => term.type === "phrase");
    return !hasPhrases && holdersIn(lists) <= view.documents * FEW
      ? this.#scoreFew(view, lists)
      : this.#scoreMany(view, lists);
  }

  #scoreFew(view: SegmentView, lists: readonly TermLists[]): SegmentScores {
    const certain = new Map<number, number>();
    for (const [term, own] of lists.entries()) {
      const counts = new Map<number, number>();
      for (const { postings } of own.flat())
        visitPostings(postings, (document, count) =>
          counts.set(document, (counts.get(document) ?? 0) + count),
        );
      const weight = this.#weights[term]?.[0] ?? 0;
      for (const [document, count] of counts) {
        const gain = gainOf(count, weight, this.#dampingOf(view, document));
        certain.set(document, (certain.get(document) ?? 0) + gain);
      }
    }
    const documents = Int32Array.from(certain.keys()).sort();
    return { documents, certainOf: (document) => certain.get(document) ?? 0, phrases: [] };
  }

  #scoreMany(view: SegmentView, lists: readonly TermLists[]): SegmentScores {
    if (this.#counts.length < view.documents) {
      this.#counts = new Uint32Array(view.documents);
      this.#touched = new Int32Array(view.documents);
    }
    const certain = new Float64Array(view.documents);
    const phrases: Float64Array[] = [];
    this.#terms.forEach((term, i) => {
      const own = lists[i] ?? [];
      const weights = this.#weights[i] ?? [];
      if (term.type === "phrase")
        phrases.push(
          this.#scorePhrase(view, own, weights, term.joined === undefined ? 0 : NAME * this.#most),
        );
      else this.#add(view, own.flat(), weights[0] ?? 0, certain);
    });
    const documents = scoredIn(certain, phrases);
    return { documents, certainOf: (document) => certain[document] ?? 0, phrases };
  }

  /** Scores documents that contain all the words, with an extra; 0 for the others. */
  #scorePhrase(view: SegmentView, words: TermLists, weights: readonly number[], extra: number): Float64Array {
    const scores = new Float64Array(view.documents);
    const present = new Uint16Array(view.documents);
    words.forEach((list, i) => {
      for (const { postings } of list)
        visitPostings(postings, (document) => {
          present[document] = (present[document] ?? 0) + 1;
        });
      this.#add(view, list, weights[i] ?? 0, scores);
    });
    for (let document = 0; document < scores.length; document++)
      scores[document] = present[document] === words.length ? (scores[document] ?? 0) + extra : 0;
    return scores;
  }

  /** Counts are summed first, because BM25 saturates with the count. */
  #add(view: SegmentView, lists: readonly TermPostings[], weight: number, scores: Float64Array): void {
    const [counts, touched] = [this.#counts, this.#touched];
    let last = 0;
    for (const { postings } of lists)
      visitPostings(postings, (document, count) => {
        const before = counts[document] ?? 0;
        if (before === 0) touched[last++] = document;
        counts[document] = before + count;
      });
    for (let i = 0; i < last; i++) {
      const document = touched[i] ?? 0;
      const gain = gainOf(counts[document] ?? 0, weight, this.#dampingOf(view, document));
      scores[document] = (scores[document] ?? 0) + gain;
      counts[document] = 0;
    }
  }

  /** The longer a document is, the less each of its words counts. */
  #dampingOf({ columns }: SegmentView, document: number): number {
    const perWord = (SATURATION * LENGTH) / this.#meanWords;
    return SATURATION * (1 - LENGTH) + perWord * (columns.words[document] ?? 0);
  }
}

function gainOf(count: number, weight: number, damping: number): number {
  return (weight * count * (SATURATION + 1)) / (count + damping);
}

/** Documents with the terms, counted once for each term. */
function holdersIn(lists: readonly TermLists[]): number {
  let holders = 0;
  for (const own of lists) for (const list of own) for (const { documents } of list) holders += documents;
  return holders;
}

function scoredIn(certain: Float64Array, phrases: readonly Float64Array[]): Int32Array {
  const scores = phrases.length === 0 ? certain : certain.slice();
  for (const phrase of phrases)
    for (let document = 0; document < scores.length; document++)
      scores[document] = (scores[document] ?? 0) + (phrase[document] ?? 0);
  const documents = new Int32Array(scores.length);
  let count = 0;
  for (let document = 0; document < scores.length; document++)
    if ((scores[document] ?? 0) > 0) documents[count++] = document;
  return documents.subarray(0, count);
}
