/**
 * What a reranker says, blended with what was known before. It can lift a hit and lower it, but not bury one that was
 * found by its words: each has a floor. What the reranker did not answer for is kept a little lower, never dropped.
 */
import { clamp01 } from "../clamp.ts";
import { cosine, type Vector } from "../cosine.ts";
import { pass, rescore, type Scored, type StageResult } from "./stage.ts";

interface RerankBlendSettings {
  readonly rerankWeight: number;
  readonly fusedWeight: number;
  /** What is left of a score that the reranker did not return. */
  readonly unreturned: number;
  /** By the word score, the best first: the share of a score that must remain when returned, and when not. */
  readonly floors: readonly {
    readonly from: number;
    readonly returned: number;
    readonly unreturned: number;
  }[];
  /** Without a reranker. */
  readonly fallback: { readonly fused: number; readonly cosine: number };
}

const RERANK_BLEND: RerankBlendSettings = {
  rerankWeight: 0.6,
  fusedWeight: 0.4,
  unreturned: 0.8,
  floors: [
    { from: 0.75, returned: 0.95, unreturned: 1 },
    { from: 0.6, returned: 0.9, unreturned: 0.95 },
    { from: Number.NEGATIVE_INFINITY, returned: 0.5, unreturned: 0.8 },
  ],
  fallback: { fused: 0.7, cosine: 0.3 },
};

/** Scores that a reranker gave, by id. */
export type RerankScores = ReadonlyMap<string, number>;

export function blendedScore(
  item: Pick<Scored, "score" | "wordScore">,
  rerankScore: number | null,
  settings = RERANK_BLEND,
): number {
  const floor = item.score * floorShare(item.wordScore ?? 0, rerankScore !== null, settings);
  if (rerankScore === null) return Math.max(floor, clamp01(item.score * settings.unreturned));
  // An answer that is no number says nothing: only the floor and the fused part remain.
  const given = clamp01(rerankScore) * settings.rerankWeight;
  return Math.max(floor, clamp01(given + item.score * settings.fusedWeight));
}

function floorShare(wordScore: number, wasReturned: boolean, settings: RerankBlendSettings): number {
  const floor = settings.floors.find(({ from }) => wordScore >= from);
  return (wasReturned ? floor?.returned : floor?.unreturned) ?? 0;
}

export function blendRerank(
  items: readonly Scored[],
  scores: RerankScores,
  settings = RERANK_BLEND,
): StageResult {
  return rescore("rerank", items, (item) => {
    const given = scores.get(item.memory.id) ?? null;
    return {
      score: blendedScore(item, given, settings),
      reason:
        given === null ? "The reranker did not return it." : `The reranker returned ${given.toFixed(3)}.`,
    };
  });
}

/** When there is no reranker, or it failed. */
export function blendCosine(
  items: readonly Scored[],
  query: Vector | null,
  settings = RERANK_BLEND,
): StageResult {
  if (query === null)
    return pass("rerank", items, "There is neither a reranker nor an embedding of the query.");
  return rescore("rerank", items, ({ score, vector }) =>
    vector === null
      ? { score }
      : { score: score * settings.fallback.fused + cosine(query, vector) * settings.fallback.cosine },
  );
}
