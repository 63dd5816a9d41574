import { characterClass, LETTER, SEPARATOR } from "./character-class.ts";

export interface WordVisitor {
  /** A word of a spaced script, lower case, inner apostrophes kept. */
  word(word: string): void;
  /** A run of Hangul or of an unspaced script. */
  run(run: string): void;
}

/** Every word of a text, in order, in one pass. */
export function scanWords(text: string, visitor: WordVisitor): void {
  const lower = text.toLowerCase();
  let start = 0;
  let current = SEPARATOR;
  for (let i = 0; i <= lower.length; i++) {
    const unit = lower.charCodeAt(i);
    let next = i < lower.length ? characterClass(unit) : SEPARATOR;
    if (current === LETTER && isApostrophe(unit) && characterClass(lower.charCodeAt(i + 1)) === LETTER)
      next = LETTER;
    if (next === current) continue;
    if (current === LETTER) visitor.word(lower.slice(start, i));
    else if (current !== SEPARATOR) visitor.run(lower.slice(start, i));
    start = i;
    current = next;
  }
}

export function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019;
}
