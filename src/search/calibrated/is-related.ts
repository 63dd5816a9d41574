/**
 * Whether a memory or message is related to a question at all. A score only says which one is nearer, and one of
 * several unrelated texts is always the nearest: without this check, a question about something else would get an
 * arbitrary answer.
 */
import type { QuestionTerm } from "./question-term.ts";
import type { ScoreParts } from "./rank-turns.ts";
import type { Strengths } from "./term-strengths.ts";
import { vectorTrust } from "./vector-trust.ts";

interface Likeness {
  /** Null without vectors. */
  readonly cosine: number | null;
  /** The share of the question's weight whose words it has. */
  readonly coverage: number;
  /** See `hasIdentifier`: a long question may name what it is about only once. */
  readonly hasIdentifier?: boolean;
}

/** Among answers to annotated questions the least has .21; among questions of another field nine of ten have below .15. */
const LEAST_COSINE = 0.2;
/** Of the question's weight: a single word in common is no answer. */
const LEAST_COVERAGE = 0.3;
/** Below it, cosines say nothing about a question. */
const LEAST_TRUST = 0.5;

export function relatedTo(question: string): (likeness: Likeness, parts: ScoreParts) => boolean {
  const isTrusted = vectorTrust(question) >= LEAST_TRUST;
  return ({ cosine, coverage, hasIdentifier = false }, { words, context }) => {
    if (cosine === null || !isTrusted) return words + context > 0;
    return hasIdentifier || cosine >= LEAST_COSINE || coverage >= LEAST_COVERAGE;
  };
}

/** Whether it has a number or a name with digits that is asked for. Years do not count: many texts have the same. */
export function hasIdentifier(terms: readonly QuestionTerm[], strengths: Strengths): boolean {
  return terms.some(
    ({ stem }, place) =>
      (strengths[place] ?? 0) > 0 && stem.length > 2 && /\d/.test(stem) && !/^(?:19|20)\d\d$/.test(stem),
  );
}

/** Less than any related text scores. */
const LAST = 0.001;

/**
 * What an unrelated text scores. Where cosines cannot be trusted for the question nor for the text, it may still be an
 * answer: it comes last, and the nearest first.
 */
export function unrelatedScore(question: string, text: string, cosine: number | null): number {
  const isKnown = [question, text].some((one) => vectorTrust(one) >= LEAST_TRUST);
  return isKnown ? 0 : LAST * (1 + (cosine ?? 0));
}
