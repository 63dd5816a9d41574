/**
 * Whether two texts say the same in the same words: the words that tell something, in their order, whatever their
 * endings. Vectors hardly see a `not`, a number or who did what to whom, and just these are often all that is new; so
 * what is only near in meaning is never taken for the same.
 */
import { isFunctionWord } from "../../search/function-words.ts";
import { stemOf, termsOf } from "../../search/terms.ts";

/** Function words that turn a sentence round. `t` is what is left of `n't`. */
const NEGATIONS: ReadonlySet<string> = new Set("not no nor without t don didn doesn isn wasn".split(" "));

export function saysTheSame(a: string, b: string): boolean {
  return toldBy(a) === toldBy(b);
}

function toldBy(text: string): string {
  return termsOf(text)
    .filter((word) => !isFunctionWord(word) || NEGATIONS.has(word))
    .map(stemOf)
    .join(" ");
}
