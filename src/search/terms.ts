/**
 * The terms by which a document can be found: its words, the stems of inflected words, the names of its tools, and its
 * trigrams. Each kind has its own first byte, so that all kinds share one sorted list.
 */

import { LONGEST_WORD, normalised, visitWordRanges } from "../text/language/words.ts";
import { decodeLeniently, encodeUtf8 } from "../text/utf8.ts";

const TRIGRAM = 0;
export const WORD = 1;
export const STEM = 2;
const TOOL = 3;

export type Term = Uint8Array;

export function trigramTerm(trigram: number): Term {
  return Uint8Array.of(TRIGRAM, trigram >>> 24, trigram >>> 16, trigram >>> 8, trigram);
}

export function wordTerm(word: string): Term {
  return termOf(WORD, word);
}

export function stemTerm(stem: string): Term {
  return termOf(STEM, stem);
}

export function isTool(term: Term): boolean {
  return term[0] === TOOL;
}

export function toolTerm(name: string): Term {
  return termOf(TOOL, name);
}

/** The range of all tool terms. */
export const EVERY_TOOL = { from: Uint8Array.of(TOOL), to: Uint8Array.of(TOOL, 0xff) };

/** The tool name in a term. */
export function toolOf(term: Term): string {
  return decodeLeniently(term.subarray(1));
}

/** The kind and the UTF-8 bytes of the name. */
export function termOf(kind: number, name: string): Term {
  const text = encodeUtf8(name);
  const term = new Uint8Array(text.length + 1);
  term[0] = kind;
  term.set(text, 1);
  return term;
}

/** Receives the position of a word in a text; ASCII capitals are folded to lower case. */
type VisitTerm = (text: string, start: number, end: number) => void;

/**
 * Visits every word of a text, including repetitions, and every pair of neighbouring characters in scripts without spaces.
 * Returns the number of words.
 */
export function visitTerms(text: string, visit: VisitTerm): number {
  const words = normalised(text);
  let count = 0;
  let before = "";
  visitWordRanges(words, {
    plain: (start, end) => {
      count++;
      visit(words, start, Math.min(end, start + LONGEST_WORD));
    },
    folded: (word, _start, _end, isGlued) => {
      count++;
      visit(word, 0, word.length);
      if (isGlued) visit(before + word, 0, before.length + word.length);
      before = word;
    },
  });
  return count;
}

/** Every word of a text, folded, in order and with repetitions, and character pairs in scripts without spaces. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  visitTerms(text, (source, start, end) => terms.push(source.slice(start, end).toLowerCase()));
  return terms;
}
