/** The terms of a search with the weights of the calibrated ranking, and their occurrences in a passage. */
import type { QuestionTerm } from "../../../search/calibrated/question-term.ts";
import { stemsOf } from "../../../search/calibrated/stemmed-texts.ts";
import { termsOf } from "../../../search/terms.ts";
import { isFunctionWord } from "../../../text/language/function-words.ts";
import { stemOf } from "../../../text/language/stem.ts";
import { hasPhrase } from "../matches.ts";
import type { QueryTerm } from "../parse-query.ts";
import type { Weights } from "../rank.ts";

export interface TellingTerms {
  /** The terms of the query. */
  readonly asked: readonly QueryTerm[];
  /** The same terms with weights. */
  readonly terms: readonly QuestionTerm[];
}

/** Excludes terms that occur in most questions, and terms that occur in no document. */
export function tellingTerms(terms: readonly QueryTerm[], weights: Weights): TellingTerms {
  const known = terms
    .map((term, place) => ({ term, stem: nameOf(term), weight: weightOf(weights[place] ?? []) }))
    .filter(({ weight }) => weight > 0);
  const telling = known.filter(({ term }) => term.type !== "word" || !isFunctionWord(term.word));
  const chosen = telling.length > 0 ? telling : known;
  return {
    asked: chosen.map(({ term }) => term),
    terms: chosen.map(({ stem, weight }) => ({ stem, weight })),
  };
}

/** A phrase occurs nowhere if one of its words does not occur. */
function weightOf(weights: readonly number[]): number {
  return weights.includes(0) ? 0 : weights.reduce((sum, weight) => sum + weight, 0);
}

/** Phrases and prefixes get names that no stem has. */
export function nameOf(term: QueryTerm): string {
  switch (term.type) {
    case "word":
      return stemOf(term.word);
    case "prefix":
      return `${term.prefix}*`;
    case "phrase":
      return `"${term.words.join(" ")}"`;
  }
}

/** Whether stems alone determine where the terms occur. */
export function hasOnlyWords(terms: readonly QueryTerm[]): boolean {
  return terms.every(({ type }) => type === "word");
}

/** The stems of a passage, and the phrases and prefixes of the query, once for each occurrence. */
export function namesIn(passage: string, terms: readonly QueryTerm[]): readonly string[] {
  const words = termsOf(passage);
  const others = terms.flatMap((term) => {
    if (term.type === "phrase") return hasPhrase(passage, term.words) ? [nameOf(term)] : [];
    if (term.type === "prefix")
      return words.filter((word) => word.startsWith(term.prefix)).map(() => nameOf(term));
    return [];
  });
  return [...stemsOf(passage), ...others];
}
