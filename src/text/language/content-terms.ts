import { characterClass, HANGUL, isHiragana } from "./character-class.ts";
import { scanWords, type WordVisitor } from "./scan-words.ts";

/** Function words are mostly shorter, in every supported script with spaces. */
const SHORTEST_WORD = 4;
/** The first letters of a word represent all of its forms. */
const STEM = 7;

/**
 * Content terms of a text, repeated as they occur: stems of words, and pairs of characters where a script has no
 * spaces. Pairs of hiragana alone are grammar and left out; so are bare numbers, which are anchors.
 */
export function termsOf(text: string): string[] {
  const reader = new TermReader();
  scanWords(text, reader);
  return reader.terms;
}

/** Collects terms from a stream of words. */
export class TermReader implements WordVisitor {
  readonly terms: string[] = [];

  word(word: string): void {
    if (word.length >= SHORTEST_WORD && !isNumeric(word)) this.terms.push(word.slice(0, STEM));
  }

  run(run: string): void {
    if (characterClass(run.charCodeAt(0)) === HANGUL) this.terms.push(run.slice(0, 2));
    else addPairs(run, this.terms);
  }
}

function addPairs(run: string, terms: string[]): void {
  if (run.length === 1 && !isHiragana(run.charCodeAt(0))) terms.push(run);
  for (let i = 0; i + 1 < run.length; i++)
    if (!isHiragana(run.charCodeAt(i)) || !isHiragana(run.charCodeAt(i + 1))) terms.push(run.slice(i, i + 2));
}

function isNumeric(word: string): boolean {
  const unit = word.charCodeAt(0);
  return unit >= 0x30 && unit <= 0x39;
}
