/** The words of a question that are worth searching for, as a search query. */
import { isFunctionWord } from "../text/language/function-words.ts";

/** Maximum characters of a question that are read. */
export const LONGEST_QUERY = 10_000;
/** Maximum words of the query; for scripts without spaces, characters. Below the limit of any search. */
const MOST_WORDS = 500;

/** Words that occur in most questions and in most answers. */
const COMMON = new Set(
  "what when where which whose whom that this these those there with from about into than then them they their have does were been being would could should will your ours just also only some such please tell know said say".split(
    " ",
  ),
);
/** Shorter words are function words in most scripts with spaces, unless they are names or numbers. */
const SHORTEST = 4;
const WORD = /[\p{L}\p{M}\p{N}](?:[._:/-]?[\p{L}\p{M}\p{N}_])*/gu;
const SEPARATOR = /[._:/-]/;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u;

/**
 * Empty when the question has no words. `shortest`: the length of a word that is neither a name nor a number; three for a
 * reader of English, who asks about `rgb` or `cat`.
 */
export function questionWords(question: string, shortest = SHORTEST): string {
  const words = [...question.slice(0, LONGEST_QUERY).matchAll(WORD)].map(([word]) => word);
  const telling = words.filter((word) => isTelling(word, shortest));
  return firstOf(telling.length === 0 ? words : telling).join(" ");
}

function firstOf(words: readonly string[]): readonly string[] {
  let count = 0;
  return words.filter((word) => {
    count += UNSPACED.test(word) ? word.length : word.split(SEPARATOR).length;
    return count <= MOST_WORDS;
  });
}

function isTelling(word: string, shortest: number): boolean {
  if (COMMON.has(word.toLowerCase())) return false;
  return (
    (word.length >= shortest && (word.length >= SHORTEST || !isFunctionWord(word.toLowerCase()))) ||
    /[\p{N}_./:]/u.test(word) ||
    /^\p{Lu}{2,}$/u.test(word) ||
    UNSPACED.test(word)
  );
}
