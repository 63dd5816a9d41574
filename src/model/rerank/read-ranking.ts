/** Parses the ranking of a service, best first; null if it is not a ranking of the given documents. */

import { valueAt } from "../value-at.ts";
import type { RankedDocument } from "./rerank.ts";

interface RankingShape {
  readonly documents: number;
  readonly scoreField: string;
  readonly givesLogits: boolean;
}

export function readRanking(results: unknown, shape: RankingShape): readonly RankedDocument[] | null {
  if (!Array.isArray(results)) return null;
  const ranked = new Map<number, number>();
  for (const result of results) {
    const index = valueAt(result, "index");
    const score = valueAt(result, shape.scoreField);
    if (!isPlace(index, shape.documents) || typeof score !== "number" || Number.isNaN(score)) return null;
    if (ranked.has(index)) return null;
    ranked.set(index, between0And1(shape.givesLogits ? sigmoid(score) : score));
  }
  if (ranked.size === 0 && shape.documents > 0) return null;
  return bestFirst([...ranked].map(([index, score]) => ({ index, score })));
}

/** Equal scores keep the order of the search. */
export function bestFirst(ranking: readonly RankedDocument[]): readonly RankedDocument[] {
  return ranking.toSorted((one, other) => other.score - one.score || one.index - other.index);
}

function isPlace(index: unknown, documents: number): index is number {
  return Number.isInteger(index) && Number(index) >= 0 && Number(index) < documents;
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function between0And1(score: number): number {
  return Math.min(1, Math.max(0, score));
}
