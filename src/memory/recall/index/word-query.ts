/**
 * The words of a question in two forms, because neither is better for all questions: as written, and as
 * stems without words that occur in most questions.
 */

import { LONGEST_QUERY } from "../../../search/question-words.ts";
import { visitTerms } from "../../../search/terms.ts";
import { tellingWords } from "../../../text/language/function-words.ts";
import { stemOf } from "../../../text/language/stem.ts";
import { type Word, wordsOf } from "../../../text/language/words.ts";

export interface WordQuery {
  /** Unique. For scripts without spaces, characters and pairs of adjacent characters. */
  readonly plain: readonly string[];
  /** Unique. For scripts without spaces, the pairs, and characters without a neighbour. */
  readonly stemmed: readonly string[];
}

/** Both are empty when the question has no words. */
export function wordQuery(question: string): WordQuery {
  const asked = question.slice(0, LONGEST_QUERY);
  return { plain: plainTerms(asked), stemmed: stemsOf(asked) };
}

function plainTerms(text: string): string[] {
  const terms = new Set<string>();
  visitTerms(text, (source, start, end) => terms.add(source.slice(start, end).toLowerCase()));
  return [...terms];
}

function stemsOf(text: string): string[] {
  const words = wordsOf(text);
  const terms = words.flatMap((word, i) => wordOrPair(words, i, word));
  return [...new Set(tellingWords(terms).map(stemOf))];
}

/** A character with a neighbour is searched together with it. */
function wordOrPair(words: readonly Word[], i: number, word: Word): readonly string[] {
  const before = words[i - 1];
  if (word.isGlued && before !== undefined) return [before.text + word.text];
  return words[i + 1]?.isGlued === true ? [] : [word.text];
}
