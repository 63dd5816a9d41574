/**
 * Whether a memory has anything to do with a question. A score says which one is nearer, and of memories that are all far
 * away one is nearest too: a question about something else would be answered with whatever there is.
 */
import type { ScoreParts } from "../../../search/calibrated/rank-turns.ts";
import { vectorTrust } from "../../../search/calibrated/vector-trust.ts";
import type { PoolEntry } from "../gather-pool.ts";

/** Among answers to annotated questions the least has .21; among questions of another field nine of ten have below .15. */
const LEAST_COSINE = 0.2;
/** Of the question's weight, words included that no memory has: a single word in common is no answer. */
const LEAST_COVERAGE = 0.3;
/** Below it, cosines say nothing about a question. */
const LEAST_TRUST = 0.5;

export function relatedTo(
  question: string,
): (entry: Pick<PoolEntry, "cosine" | "words">, parts: ScoreParts) => boolean {
  const isTrusted = vectorTrust(question) >= LEAST_TRUST;
  return ({ cosine, words: { coverage } }, { words, context }) => {
    if (cosine === null || !isTrusted) return words + context > 0;
    return cosine >= LEAST_COSINE || coverage >= LEAST_COVERAGE;
  };
}
