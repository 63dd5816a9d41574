/** One pass over the words of a sentence, for its cues and content terms. */

import { TermReader } from "./content-terms.ts";
import { CueReader } from "./read-cues.ts";
import { scanWords } from "./scan-words.ts";

interface Words {
  /** Mask of `CUE`. */
  readonly cues: number;
  /** Unique content terms. */
  readonly terms: readonly string[];
}

export function readWords(sentence: string): Words {
  const cues = new CueReader();
  const terms = new TermReader();
  scanWords(sentence, {
    word(word) {
      cues.word(word);
      terms.word(word);
    },
    run(run) {
      cues.run(run);
      terms.run(run);
    },
  });
  return { cues: cues.mask, terms: [...new Set(terms.terms)] };
}
