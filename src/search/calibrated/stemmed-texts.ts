/**
 * The stems of texts, passage by passage, as ranking needs them. What was said never changes, so what was worked out
 * once is kept for the texts that were looked at last.
 */
import { splitSentences } from "../../text/language/split-sentences.ts";
import { stemOf } from "../../text/language/stem.ts";
import { termsOf } from "../terms.ts";

export type StemmedPassages = readonly (readonly string[])[];

/** Characters of a passage: about as much as says one thing. */
const LONGEST_PASSAGE = 1_000;
/** About 1 kB each for texts of a sentence or two. */
const MOST_KEPT = 20_000;

export class StemmedTexts {
  readonly #kept = new Map<string, StemmedPassages>();

  /** `name`: that no other text has. */
  of(name: string, text: () => string): StemmedPassages {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const passages = passagesOf(text()).map(stemsOf);
    if (this.#kept.size >= MOST_KEPT) this.#forgetOldest();
    this.#kept.set(name, passages);
    return passages;
  }

  /** To be called when something was erased. */
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

/** Whole sentences, grouped up to the length; none is lost. */
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
