/** Which kinds of cue a sentence holds, as a mask of `CUE`. */
import { scanWords, type WordVisitor } from "../../text/scan-words.ts";
import { CUE, type CueName, SPACED_CUES, UNSPACED_CUES } from "./cues.ts";

const PHRASES = new Map<string, number>();
const BY_FIRST_CHARACTER = new Map<string, { readonly text: string; readonly mask: number }[]>();

for (const name of Object.keys(CUE) as CueName[]) {
  for (const phrase of SPACED_CUES[name].split(", ")) addPhrase(phrase.replaceAll("-", " "), CUE[name]);
  for (const text of UNSPACED_CUES[name].split(" ")) addRun(text, CUE[name]);
}

function addPhrase(phrase: string, mask: number): void {
  PHRASES.set(phrase, (PHRASES.get(phrase) ?? 0) | mask);
}

function addRun(text: string, mask: number): void {
  const first = text.charAt(0);
  const list = BY_FIRST_CHARACTER.get(first) ?? [];
  list.push({ text, mask });
  BY_FIRST_CHARACTER.set(first, list);
}

/** `I don't know` and `it was never the clouds` tell a story; `don't touch it` and `never stop it` set a rule. */
const NARRATORS = new Set(
  "i we you they he she it that which who was were been would had has have".split(" "),
);
const RULE_OR_STORY = new Set(["don't", "never", "always"]);

export function readCues(sentence: string): number {
  const reader = new CueReader();
  scanWords(sentence, reader);
  return reader.mask;
}

/** Collects marks while words come in. */
export class CueReader implements WordVisitor {
  mask = 0;
  #last = "";
  #beforeLast = "";

  word(word: string): void {
    const isStory = RULE_OR_STORY.has(word) && NARRATORS.has(this.#last);
    if (!isStory) this.mask |= PHRASES.get(word) ?? 0;
    // `Do not` needs something that is not to be done: `my nerves do not` is no rule.
    if (this.#last === "not" && this.#beforeLast === "do") this.mask |= CUE.constraint;
    if (this.#last !== "") {
      const pair = `${this.#last} ${word}`;
      this.mask |= PHRASES.get(pair) ?? 0;
      if (this.#beforeLast !== "") this.mask |= PHRASES.get(`${this.#beforeLast} ${pair}`) ?? 0;
    }
    this.#beforeLast = this.#last;
    this.#last = word;
  }

  run(run: string): void {
    for (let i = 0; i < run.length; i++)
      for (const cue of BY_FIRST_CHARACTER.get(run.charAt(i)) ?? [])
        if (run.startsWith(cue.text, i)) this.mask |= cue.mask;
  }
}
