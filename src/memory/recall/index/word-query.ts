/**
 * The words of a question in two forms, because neither is better for all questions: as they are written, and by
 * their stems without words that occur in most questions.
 */

import { LONGEST_QUERY } from "../../../search/question-words.ts";
import { visitTerms } from "../../../search/terms.ts";
import { tellingWords } from "../../../text/language/function-words.ts";
import { stemOf } from "../../../text/language/stem.ts";
import { type Word, wordsOf } from "../../../text/language/words.ts";

export interface WordQuery {
  /** Each once. Of scripts without spaces, the characters and the pairs of neighbours. */
  readonly plain: readonly string[];
  /** Each once. Of scripts without spaces, the pairs, and a character where it stands alone. */
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

/** A character that has a neighbour is looked for together with it. */
function wordOrPair(words: readonly Word[], i: number, word: Word): readonly string[] {
  const before = words[i - 1];
  if (word.isGlued && before !== undefined) return [before.text + word.text];
  return words[i + 1]?.isGlued === true ? [] : [word.text];
}
