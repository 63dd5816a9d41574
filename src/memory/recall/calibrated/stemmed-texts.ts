/**
 * The stems of memories' texts, passage by passage, as ranking needs them. Words of a memory never change, so what was
 * worked out once is kept for the memories that were looked at last.
 */

import type { MemoryText } from "../../../memory-types.ts";
import { stemOf, termsOf } from "../../../search/terms.ts";
import type { MemoryRef } from "../../../store/memory-store.ts";
import { splitSentences } from "../../../text/split-sentences.ts";

export type StemmedPassages = readonly (readonly string[])[];

/** Characters of a passage: about as much as says one thing. */
const LONGEST_PASSAGE = 1_000;
/** About 1 kB each for memories of a sentence or two. */
const MOST_KEPT = 20_000;

export class StemmedTexts {
  readonly #kept = new Map<string, StemmedPassages>();

  of({ scope, number }: MemoryRef, text: MemoryText): StemmedPassages {
    const name = `${scope}#${number}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const passages = stemmedPassages(text);
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

function stemmedPassages({ abstract, overview, content }: MemoryText): StemmedPassages {
  const whole = [abstract, overview, content].filter((text) => text !== "").join("\n");
  return passagesOf(whole).map((passage) => termsOf(passage).map(stemOf));
}

/** Whole sentences, grouped up to the length; none is lost. */
function passagesOf(text: string): readonly string[] {
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
