/**
 * The weights of the words of a question, from all memories of the holder and not only the searched ones, so that a
 * score depends neither on a filter nor on the division into segments.
 */
import type { PackedSegment } from "../../../search/index/packed-segment.ts";
import { holdersOf, type TermLists } from "./term-lists.ts";
import type { WordQuery } from "./word-query.ts";

interface TermStatistics {
  readonly term: string;
  /** Number of memories that contain it. */
  readonly documents: number;
  readonly idf: number;
}

export interface RecipeStatistics {
  readonly terms: readonly TermStatistics[];
  /** The score of a memory of mean length with each term once: the sum of the weights. */
  readonly ideal: number;
}

export interface WordStatistics {
  /** Number of memories with words. */
  readonly documents: number;
  /** The mean number of words of a memory. */
  readonly meanLength: number;
  readonly plain: RecipeStatistics;
  readonly stemmed: RecipeStatistics;
}

/** `lists` are those of each view. */
export function statisticsOf(
  query: WordQuery,
  views: readonly PackedSegment[],
  lists: readonly TermLists[],
): WordStatistics {
  const documents = views.reduce((sum, { withWords }) => sum + withWords, 0);
  const words = views.reduce((sum, view) => sum + view.words, 0);
  const recipe = (terms: readonly string[], name: keyof TermLists) =>
    recipeOf(
      terms.map((term, i) => {
        const holders = lists.reduce((sum, found) => sum + holdersOf(found[name][i]), 0);
        return { term, documents: holders, idf: idfOf(holders, documents) };
      }),
    );
  return {
    documents,
    meanLength: words / Math.max(1, documents),
    plain: recipe(query.plain, "plain"),
    stemmed: recipe(query.stemmed, "stemmed"),
  };
}

export function recipeOf(terms: readonly TermStatistics[]): RecipeStatistics {
  return { terms, ideal: terms.reduce((sum, { idf }) => sum + idf, 0) };
}

/** A memory that has only tags has no words, but contains a term. */
function idfOf(holders: number, documents: number): number {
  const others = Math.max(0, documents - holders);
  return Math.log(1 + (others + 0.5) / (holders + 0.5));
}
