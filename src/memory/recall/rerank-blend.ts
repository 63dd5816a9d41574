/**
 * Blends the scores of a reranker with the fused scores. It can raise or lower a hit, but not drop a hit that was
 * found by its words below a floor. Hits that the reranker did not return are ranked a little lower, never dropped.
 */
import { clamp01 } from "../clamp.ts";
import { cosine, type Vector } from "../cosine.ts";
import { pass, rescore, type Scored, type StageResult } from "./stage.ts";

const WEIGHTS = { rerank: 0.6, fused: 0.4 };
/** The factor for a hit that the reranker did not return. */
const UNRETURNED = 0.8;
/** By word score, highest first: the minimum share of the score that remains when returned, and when not. */
const FLOORS = [
  { from: 0.75, returned: 0.95, unreturned: 1 },
  { from: 0.6, returned: 0.9, unreturned: 0.95 },
  { from: Number.NEGATIVE_INFINITY, returned: 0.5, unreturned: 0.8 },
];
/** Weights without a reranker. */
const FALLBACK = { fused: 0.7, cosine: 0.3 };

/** Scores of a reranker, by id. */
export type RerankScores = ReadonlyMap<string, number>;

export function blendedScore(item: Pick<Scored, "score" | "wordScore">, rerankScore: number | null): number {
  const floor = item.score * floorShare(item.wordScore ?? 0, rerankScore !== null);
  if (rerankScore === null) return Math.max(floor, clamp01(item.score * UNRETURNED));
  // A score that is not a number counts as 0: only the floor and the fused part remain.
  const given = clamp01(rerankScore) * WEIGHTS.rerank;
  return Math.max(floor, clamp01(given + item.score * WEIGHTS.fused));
}

function floorShare(wordScore: number, wasReturned: boolean): number {
  const floor = FLOORS.find(({ from }) => wordScore >= from);
  return (wasReturned ? floor?.returned : floor?.unreturned) ?? 0;
}

export function blendRerank(items: readonly Scored[], scores: RerankScores): StageResult {
  return rescore("rerank", items, (item) => {
    const given = scores.get(item.memory.id) ?? null;
    return {
      score: blendedScore(item, given),
      reason:
        given === null ? "The reranker did not return it." : `The reranker returned ${given.toFixed(3)}.`,
    };
  });
}

/** Used without a reranker, or when it failed. */
export function blendCosine(items: readonly Scored[], query: Vector | null): StageResult {
  if (query === null)
    return pass("rerank", items, "There is neither a reranker nor an embedding of the query.");
  return rescore("rerank", items, ({ score, vector }) =>
    vector === null ? { score } : { score: score * FALLBACK.fused + cosine(query, vector) * FALLBACK.cosine },
  );
}
