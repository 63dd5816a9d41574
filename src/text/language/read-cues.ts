/** The kinds of cue in a sentence, as a mask of `CUE`. */

import { CUE, type CueName, SPACED_CUES, UNSPACED_CUES } from "./cues.ts";
import { scanWords, type WordVisitor } from "./scan-words.ts";

/** A word with its own cues, and the phrases that begin with it. */
interface CueWord {
  mask: number;
  readonly phrases: Map<string, number>;
}

const WORDS = new Map<string, CueWord>();
const BY_FIRST_CHARACTER = new Map<string, { readonly text: string; readonly mask: number }[]>();

for (const name of Object.keys(CUE) as CueName[]) {
  for (const phrase of SPACED_CUES[name].split(", ")) addPhrase(phrase.replaceAll("-", " "), CUE[name]);
  for (const text of UNSPACED_CUES[name].split(" ")) addRun(text, CUE[name]);
}

function addPhrase(phrase: string, mask: number): void {
  const [first = "", ...others] = phrase.split(" ");
  const rest = others.join(" ");
  const word = WORDS.get(first) ?? { mask: 0, phrases: new Map() };
  WORDS.set(first, word);
  if (rest === "") word.mask |= mask;
  else word.phrases.set(rest, (word.phrases.get(rest) ?? 0) | mask);
}

function addRun(text: string, mask: number): void {
  const first = text.charAt(0);
  const list = BY_FIRST_CHARACTER.get(first) ?? [];
  list.push({ text, mask });
  BY_FIRST_CHARACTER.set(first, list);
}

/** `I don't know` and `it was never the clouds` are narration; `don't touch it` and `never stop it` are rules. */
const NARRATORS = new Set(
  "i we you they he she it that which who was were been would had has have".split(" "),
);
const RULE_OR_STORY = new Set(["don't", "never", "always"]);

export function readCues(sentence: string): number {
  const reader = new CueReader();
  scanWords(sentence, reader);
  return reader.mask;
}

/** Collects cues from a stream of words. */
export class CueReader implements WordVisitor {
  mask = 0;
  #last = "";
  #beforeLast = "";
  #lastCue: CueWord | undefined;
  #cueBeforeLast: CueWord | undefined;

  /** Most words begin no phrase and need only one lookup. */
  word(word: string): void {
    const cue = WORDS.get(word);
    if (cue !== undefined && !(RULE_OR_STORY.has(word) && NARRATORS.has(this.#last))) this.mask |= cue.mask;
    // `Do not` needs a following verb: `my nerves do not` is not a rule.
    if (this.#last === "not" && this.#beforeLast === "do") this.mask |= CUE.constraint;
    if (this.#lastCue !== undefined) this.mask |= this.#lastCue.phrases.get(word) ?? 0;
    if (this.#cueBeforeLast !== undefined)
      this.mask |= this.#cueBeforeLast.phrases.get(`${this.#last} ${word}`) ?? 0;
    this.#beforeLast = this.#last;
    this.#last = word;
    this.#cueBeforeLast = this.#lastCue;
    this.#lastCue = cue;
  }

  run(run: string): void {
    for (let i = 0; i < run.length; i++)
      for (const cue of BY_FIRST_CHARACTER.get(run.charAt(i)) ?? [])
        if (run.startsWith(cue.text, i)) this.mask |= cue.mask;
  }
}
