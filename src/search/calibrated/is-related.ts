/**
 * Decides whether a memory or message is related to a question at all. A score only ranks texts, and one of several
 * unrelated texts always ranks first: without this check, a question about another topic would get an
 * arbitrary answer.
 */
import type { QuestionTerm } from "./question-term.ts";
import type { ScoreParts } from "./rank-turns.ts";
import type { Strengths } from "./term-strengths.ts";
import { vectorTrust } from "./vector-trust.ts";

interface Likeness {
  /** Null without embeddings. */
  readonly cosine: number | null;
  /** The share of the question's term weight that the text covers. */
  readonly coverage: number;
  /** See `hasIdentifier`: a long question may name its subject only once. */
  readonly hasIdentifier?: boolean;
}

/** The lowest cosine of an answer to an annotated question is .21; 90 % of questions from other fields stay below .15. */
const LEAST_COSINE = 0.2;
/** Share of the question's weight. A single word in common is not enough. */
const LEAST_COVERAGE = 0.3;
/**
 * The least that words and meaning contribute to the score of a similar text: a short question is slightly similar to
 * many texts, and nothing else, such as who said it, makes one of them an answer.
 */
const LEAST_RELEVANCE = 0.14;
/** Below this trust, cosines are not used for a question. */
export const LEAST_TRUST = 0.5;

export function relatedTo(question: string): (likeness: Likeness, parts: ScoreParts) => boolean {
  const isTrusted = vectorTrust(question) >= LEAST_TRUST;
  return ({ cosine, coverage, hasIdentifier = false }, { words, context, meaning }) => {
    if (cosine === null || !isTrusted) return words + context > 0;
    const isSimilar = cosine >= LEAST_COSINE && words + context + meaning >= LEAST_RELEVANCE;
    return hasIdentifier || isSimilar || coverage >= LEAST_COVERAGE;
  };
}

/** Whether the text has a number, or a name with digits, from the question. Years do not count: many texts share them. */
export function hasIdentifier(terms: readonly QuestionTerm[], strengths: Strengths): boolean {
  return terms.some(
    ({ stem }, place) =>
      (strengths[place] ?? 0) > 0 && stem.length > 2 && /\d/.test(stem) && !/^(?:19|20)\d\d$/.test(stem),
  );
}

/** Lower than the score of any related text. */
const LAST = 0.001;

/**
 * The score of an unrelated text. Where cosines cannot be trusted for either the question or the text, the text may still
 * be an answer: it is ranked last, ordered by cosine.
 */
export function unrelatedScore(question: string, text: string, cosine: number | null): number {
  const isKnown = [question, text].some((one) => vectorTrust(one) >= LEAST_TRUST);
  return isKnown ? 0 : LAST * (1 + (cosine ?? 0));
}
