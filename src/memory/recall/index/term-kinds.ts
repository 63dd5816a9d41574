/**
 * The kinds of terms of a memory. Words and stems come from its text. Tags may change while the text cannot, so
 * words of tags are separate, and contain only words that the text does not have: a word is in one list only.
 */
import { STEM, type Term, WORD } from "../../../search/terms.ts";

export { STEM, WORD };
/** Sorted after the others, which must stay comparable when tags change. */
export const TAG_WORD = 16;
export const TAG_STEM = 17;

export function isOfTag(term: Term): boolean {
  return (term[0] ?? 0) >= TAG_WORD;
}

/** The same term as another kind. */
export function asKind(term: Term, kind: number): Term {
  const other = term.slice();
  other[0] = kind;
  return other;
}
