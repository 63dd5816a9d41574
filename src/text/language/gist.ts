/**
 * What a line tells: its telling words in their order, whatever their endings. Two lines with one gist say the same in
 * the same words, or differ in small words only. Vectors hardly see a `not`, a number or who did what to whom, and just
 * these are often all that is new; here they count.
 */
import { hashBytes } from "../bytes.ts";
import { isFunctionWord } from "./function-words.ts";
import { stemOf } from "./stem.ts";
import { normalised, visitWords } from "./words.ts";

/** Function words that turn a sentence round. `t` is what is left of `n't`. */
const NEGATIONS: ReadonlySet<string> = new Set("not no nor without t don didn doesn isn wasn".split(" "));

/** Few, since an index of them is written to at random. Among millions, two gists have hardly ever the same. */
const KEY_BYTES = 8;

export function gistOf(line: string): string {
  const told: string[] = [];
  visitWords(normalised(line.normalize("NFKC")), (word) => {
    if (!isFunctionWord(word) || NEGATIONS.has(word)) told.push(stemOf(word));
  });
  return told.join(" ");
}

/** The gist as a key to look it up by: whoever must be sure compares what it finds. */
export function gistKey(line: string): Uint8Array {
  return hashBytes(gistOf(line)).subarray(0, KEY_BYTES);
}
