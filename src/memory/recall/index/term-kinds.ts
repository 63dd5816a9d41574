/**
 * What a memory can be found by. Words and stems are those of its text. Tags may change while the text cannot, so
 * words of tags are apart, and only those that the text does not have: a word is in one list or in the other.
 */
import { STEM, type Term, WORD } from "../../../search/terms.ts";

export { STEM, WORD };
/** After the others, which must stay comparable when tags have changed. */
export const TAG_WORD = 16;
export const TAG_STEM = 17;

export function isOfTag(term: Term): boolean {
  return (term[0] ?? 0) >= TAG_WORD;
}

/** The same letters as another kind. */
export function asKind(term: Term, kind: number): Term {
  const other = term.slice();
  other[0] = kind;
  return other;
}
