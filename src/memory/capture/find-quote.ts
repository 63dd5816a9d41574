/**
 * Where the words stand that a memory says it rests on. A memory whose words nobody said is made up; and who said them
 * decides whether it is a fact about the person.
 */
import { wordsOf } from "../../text/language/words.ts";
import { lcsLength } from "../admit/features.ts";

interface FoundQuote {
  /** Position of the text that holds it. */
  readonly index: number;
  readonly isExact: boolean;
  /** The share of its words that are there, in order. */
  readonly share: number;
}

/** A quote that is not exact must have this share of its words in one text, and at least so many of them. */
const LEAST_SHARE = 0.8;
const LEAST_WORDS = 3;
const LONGEST_QUOTE = 200;

/** The text that was named is looked at first, then the others in order. Null when none holds it. */
export function findQuote(
  quote: string,
  texts: readonly string[],
  named: number | null = null,
): FoundQuote | null {
  const words = wordsOf(quote)
    .slice(0, LONGEST_QUOTE)
    .map((word) => word.text);
  if (words.length === 0) return null;
  const order = texts
    .map((_, index) => index)
    .toSorted((a, b) => Number(b === named) - Number(a === named) || a - b);
  const read = order.map((index) => ({ index, said: wordsOf(texts[index] ?? "").map((word) => word.text) }));
  const exact = read.find(({ said }) => holds(said, words));
  if (exact !== undefined) return { index: exact.index, isExact: true, share: 1 };
  if (words.length < LEAST_WORDS) return null;
  for (const { index, said } of read) {
    const share = lcsLength(words, said) / words.length;
    if (share >= LEAST_SHARE) return { index, isExact: false, share };
  }
  return null;
}

function holds(said: readonly string[], words: readonly string[]): boolean {
  for (let start = 0; start + words.length <= said.length; start++)
    if (words.every((word, offset) => said[start + offset] === word)) return true;
  return false;
}
