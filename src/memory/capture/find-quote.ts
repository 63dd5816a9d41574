/**
 * Finds the evidence of a memory in the conversation. A memory whose evidence does not occur is made up. The author of
 * the evidence decides whether it is a fact about the person.
 */
import { wordsOf } from "../../text/language/words.ts";
import { lcsLength } from "../admit/features.ts";

interface FoundQuote {
  /** Position of the text that contains it. */
  readonly index: number;
  readonly isExact: boolean;
  /** The share of its words that occur in order. */
  readonly share: number;
}

/** An inexact quote must have this share of its words in one text, and at least this many of them. */
const LEAST_SHARE = 0.8;
const LEAST_WORDS = 3;
const LONGEST_QUOTE = 200;

/** Searches the named text first, then the others in order. Null when none contains it. */
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
