/**
 * The fusion of the mode `seed`: a weighted sum of vector and word scores, where a strong word score
 * alone is enough. The scores are not calibrated: unrelated vectors score 0.5 and any word hit at least 0.5.
 */
import { clamp01 } from "../clamp.ts";

const WEIGHTS = { vector: 0.7, words: 0.3 };
/** From this word score on, words alone are enough, at this share of their score. */
const STRONG_WORDS = { from: 0.75, share: 0.92 };

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
export function fuseScores(vector: number | null, words: number | null): number {
  if (vector === null) return clamp01(words ?? 0, UNREADABLE);
  const found = words ?? 0;
  const sum = vector * WEIGHTS.vector + found * WEIGHTS.words;
  const carried = found >= STRONG_WORDS.from ? found * STRONG_WORDS.share : 0;
  return clamp01(Math.max(sum, carried), UNREADABLE);
}
