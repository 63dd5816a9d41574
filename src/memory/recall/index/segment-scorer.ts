/** Scores one segment after the other with the same arrays, which are all 0 between two of them. */

import type { PackedSegment } from "../../../search/index/packed-segment.ts";
import type { TermPostings } from "../../../search/index/term-entries.ts";
import type { BestFew } from "./best-few.ts";
import { type Damping, dampingOf, scorePostings, scoreSome } from "./score-postings.ts";
import type { TermLists } from "./term-lists.ts";
import type { RecipeStatistics, WordStatistics } from "./word-statistics.ts";

export interface DocumentScore {
  /** The position of its segment in the caller's list. */
  readonly place: number;
  readonly document: number;
  readonly plain: number;
  readonly stemmed: number;
  /** The total weight of the stemmed terms that it contains. */
  readonly covered: number;
}

export interface BestDocuments {
  readonly plain: BestFew<DocumentScore>;
  readonly stemmed: BestFew<DocumentScore>;
}

export class SegmentScorer {
  #plain = new Float64Array(0);
  #stemmed = new Float64Array(0);
  #covered = new Float64Array(0);

  /** Adds the matching documents of a segment to the best so far. */
  collect(
    place: number,
    view: PackedSegment,
    lists: TermLists,
    statistics: WordStatistics,
    best: BestDocuments,
  ): void {
    this.#reserve(view.documents);
    const damping = dampingOf(statistics.meanLength);
    const [plain, stemmed, covered] = [this.#plain, this.#stemmed, this.#covered];
    addUp(lists.plain, statistics.plain, (postings, idf) =>
      scorePostings({ postings, idf, lengths: view.lengths, damping }, plain, null),
    );
    addUp(lists.stemmed, statistics.stemmed, (postings, idf) =>
      scorePostings({ postings, idf, lengths: view.lengths, damping }, stemmed, covered),
    );
    this.#handOver(place, view.documents, best);
    for (const array of [plain, stemmed, covered]) array.fill(0, 0, view.documents);
  }

  #handOver(place: number, documents: number, best: BestDocuments): void {
    const [plainScores, stemmedScores] = [this.#plain, this.#stemmed];
    let leastPlain = best.plain.threshold;
    let leastStemmed = best.stemmed.threshold;
    for (let document = 0; document < documents; document++) {
      const plain = plainScores[document] as number;
      const stemmed = stemmedScores[document] as number;
      if (plain <= leastPlain && stemmed <= leastStemmed) continue;
      const item = { place, document, plain, stemmed, covered: this.#covered[document] as number };
      best.plain.add(plain, item);
      best.stemmed.add(stemmed, item);
      leastPlain = best.plain.threshold;
      leastStemmed = best.stemmed.threshold;
    }
  }

  #reserve(documents: number): void {
    if (documents <= this.#plain.length) return;
    this.#plain = new Float64Array(documents);
    this.#stemmed = new Float64Array(documents);
    this.#covered = new Float64Array(documents);
  }
}

/** The same scores for a few documents of a segment, ascending. */
export function scoresOf(
  place: number,
  view: PackedSegment,
  lists: TermLists,
  statistics: WordStatistics,
  documents: Int32Array,
): readonly DocumentScore[] {
  const damping: Damping = dampingOf(statistics.meanLength);
  const { lengths } = view;
  const plain = new Float64Array(documents.length);
  const stemmed = new Float64Array(documents.length);
  const covered = new Float64Array(documents.length);
  addUp(lists.plain, statistics.plain, (postings, idf) =>
    scoreSome({ postings, idf, lengths, damping }, documents, plain, null),
  );
  addUp(lists.stemmed, statistics.stemmed, (postings, idf) =>
    scoreSome({ postings, idf, lengths, damping }, documents, stemmed, covered),
  );
  return Array.from(documents, (document, i) => ({
    place,
    document,
    plain: plain[i] ?? 0,
    stemmed: stemmed[i] ?? 0,
    covered: covered[i] ?? 0,
  }));
}

/** Always in the order of the question, so that sums are equal in every segment. */
function addUp(
  lists: readonly (readonly TermPostings[])[],
  { terms }: RecipeStatistics,
  add: (postings: Uint8Array, idf: number) => void,
): void {
  lists.forEach((found, i) => {
    for (const { postings } of found) add(postings, terms[i]?.idf ?? 0);
  });
}
