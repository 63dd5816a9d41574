/**
 * The gist of a line: its content words in order, without inflection. Two lines with the same gist use
 * the same words, or differ only in function words. Embeddings hardly reflect a `not`, a number or the roles in a sentence, and
 * these are often the only difference; here they count.
 */
import { hashBytes } from "../bytes.ts";
import { isFunctionWord } from "./function-words.ts";
import { stemOf } from "./stem.ts";
import { normalised, visitWords } from "./words.ts";

/** Function words that negate a sentence. `t` is the rest of `n't`. */
const NEGATIONS: ReadonlySet<string> = new Set("not no nor without t don didn doesn isn wasn".split(" "));

/** Short, since writes to its index are random. Collisions are very rare, even among millions of gists. */
const KEY_BYTES = 8;

export function gistOf(line: string): string {
  const told: string[] = [];
  visitWords(normalised(line.normalize("NFKC")), (word) => {
    if (!isFunctionWord(word) || NEGATIONS.has(word)) told.push(stemOf(word));
  });
  return told.join(" ");
}

/** The gist as a lookup key. Callers that need certainty must compare the results. */
export function gistKey(line: string): Uint8Array {
  return hashBytes(gistOf(line)).subarray(0, KEY_BYTES);
}
