/**
 * The strength of each question term in a text, from 0 to below 1: BM25's saturation without its weights. A long
 * text counts by its best passage, because one paragraph that answers is worth more than words scattered over pages.
 */
import type { QuestionTerm } from "./question-term.ts";

/** The usual constant of BM25. */
const SATURATION = 1.2;
/** Less than the usual .75, because passages already have similar lengths. Any value from .2 to .6 works equally well. */
const LENGTH = 0.4;

/** Stems of a passage of maximum length: longer texts are split into passages. */
export const LONGEST_MEAN = 170;

export type Strengths = readonly number[];

/** Takes the stems of each passage. `meanTerms`: the mean number of stems of a passage in the collection. */
export function strengthsFor(
  terms: readonly QuestionTerm[],
  meanTerms: number,
): (passages: readonly (readonly string[])[]) => Strengths {
  const weights = terms.map(({ weight }) => weight);
  const places = new Map(terms.map(({ stem }, place) => [stem, place]));
  const strengthsOf = (stems: readonly string[]) =>
    countTerms(stems, places).map((count) => strengthOf(count, stems.length, meanTerms));
  return (passages) => {
    let best: Strengths = terms.map(() => 0);
    let most = 0;
    for (const passage of passages) {
      const strengths = strengthsOf(passage);
      const sum = covered(strengths, weights);
      if (sum > most) [best, most] = [strengths, sum];
    }
    return best;
  };
}

function countTerms(stems: readonly string[], places: ReadonlyMap<string, number>): number[] {
  const counts = new Array<number>(places.size).fill(0);
  for (const stem of stems) {
    const place = places.get(stem);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

/** Also used for counts from an inverted index, where the document is a single passage. */
function strengthOf(count: number, length: number, meanLength: number): number {
  return count / (count + SATURATION * (1 - LENGTH + (LENGTH * length) / Math.max(1, meanLength)));
}

/** The sum of the covered weight of each term. With weights that add up to 1, this is the share of the question. */
export function covered(strengths: Strengths, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (strengths[i] ?? 0);
  return sum;
}

/** Weights as shares of their sum, so that questions of any length have the same scale. */
export function sharesOf(terms: readonly QuestionTerm[]): readonly number[] {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  return terms.map(({ weight }) => (whole === 0 ? 0 : weight / whole));
}
