/**
 * The stems of texts, passage by passage, for ranking. Messages never change, so the stems of the most recently used
 * texts are cached.
 */
import { splitSentences } from "../../text/language/split-sentences.ts";
import { stemOf } from "../../text/language/stem.ts";
import { termsOf } from "../terms.ts";

export type StemmedPassages = readonly (readonly string[])[];

/** Maximum characters of a passage: about one statement. */
const LONGEST_PASSAGE = 1_000;
/** About 1 kB each for texts of one or two sentences. */
const MOST_KEPT = 20_000;

export class StemmedTexts {
  readonly #kept = new Map<string, StemmedPassages>();

  /** `name` must be unique to the text. */
  of(name: string, text: () => string): StemmedPassages {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const passages = passagesOf(text()).map(stemsOf);
    if (this.#kept.size >= MOST_KEPT) this.#forgetOldest();
    this.#kept.set(name, passages);
    return passages;
  }

  /** Clears the cache. Call it after an erasure. */
  forget(): void {
    this.#kept.clear();
  }

  #forgetOldest(): void {
    for (const name of this.#kept.keys()) {
      this.#kept.delete(name);
      return;
    }
  }
}

export function wordsIn(passages: StemmedPassages): number {
  return passages.reduce((sum, { length }) => sum + length, 0);
}

export function stemsOf(passage: string): readonly string[] {
  return termsOf(passage).map(stemOf);
}

/** Groups whole sentences up to the maximum length; drops none. */
export function passagesOf(text: string): readonly string[] {
  if (text.length <= LONGEST_PASSAGE) return [text];
  const passages: string[] = [];
  let open = "";
  for (const sentence of splitSentences(text)) {
    if (open !== "" && open.length + 1 + sentence.length > LONGEST_PASSAGE) {
      passages.push(open);
      open = "";
    }
    open = open === "" ? sentence : `${open}\n${sentence}`;
  }
  return open === "" ? passages : [...passages, open];
}
