/**
 * The fusion of the mode `seed`: a weighted sum of vector and word scores, where a strong word score
 * alone is enough. The scores are not calibrated: unrelated vectors score 0.5 and any word hit at least 0.5.
 */
import { clamp01 } from "../clamp.ts";

interface SeedFusionSettings {
  readonly vectorWeight: number;
  readonly wordWeight: number;
  /** From this word score on, words alone are enough, at this share of their score. */
  readonly strongWords: number;
  readonly strongWordsShare: number;
  /** Hits with a lower score are left out. */
  readonly minScore: number;
}

const SEED_FUSION: SeedFusionSettings = {
  vectorWeight: 0.7,
  wordWeight: 0.3,
  strongWords: 0.75,
  strongWordsShare: 0.92,
  minScore: 0.3,
};

/** From a cosine distance of 0 to 2: 1 for the same direction, 0.5 for unrelated, 1/3 for opposite. */
export function vectorScore(distance: number): number {
  return 1 / (1 + Math.max(0, distance));
}

export function wordScore(bm25: number): number {
  return bm25 > 0 ? 1 / (1 + Math.exp(-bm25 / 5)) : 0.5;
}

/** The score of a hit whose score is not a number, so that it is ranked low but kept. */
const UNREADABLE = 0.1;

/** Null: that search did not find it. */
export function fuseScores(vector: number | null, words: number | null, settings = SEED_FUSION): number {
  if (vector === null) return clamp01(words ?? 0, UNREADABLE);
  const found = words ?? 0;
  const sum = vector * settings.vectorWeight + found * settings.wordWeight;
  const carried = found >= settings.strongWords ? found * settings.strongWordsShare : 0;
  return clamp01(Math.max(sum, carried), UNREADABLE);
}

interface FusedHit {
  readonly id: string;
  readonly score: number;
  readonly vectorScore: number | null;
  readonly wordScore: number | null;
}

interface Fusion {
  readonly hits: readonly FusedHit[];
  /** Found by words, but no longer in the store. */
  readonly ghosts: readonly string[];
  readonly belowMinScore: readonly string[];
}

interface FusionInput {
  readonly near: readonly { readonly id: string; readonly distance: number }[];
  readonly worded: readonly { readonly id: string; readonly bm25: number }[];
  /** Whether the store still has it. Called only for hits that only words found. */
  readonly exists: (id: string) => boolean;
}

export function fuse({ near, worded, exists }: FusionInput, settings = SEED_FUSION): Fusion {
  const vectors = new Map(near.map(({ id, distance }) => [id, vectorScore(distance)]));
  const words = new Map(worded.map(({ id, bm25 }) => [id, wordScore(bm25)]));
  const ids = [...new Set([...vectors.keys(), ...words.keys()])];
  const ghosts = ids.filter((id) => !vectors.has(id) && !exists(id));
  const fused = ids
    .filter((id) => vectors.has(id) || exists(id))
    .map((id) => {
      const [vector, word] = [vectors.get(id) ?? null, words.get(id) ?? null];
      return { id, score: fuseScores(vector, word, settings), vectorScore: vector, wordScore: word };
    })
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return {
    hits: fused.filter(({ score }) => score >= settings.minScore),
    ghosts,
    belowMinScore: fused.filter(({ score }) => score < settings.minScore).map(({ id }) => id),
  };
}
