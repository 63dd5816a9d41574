/** Quickly rules out most text that sets no rule, without creating a string for each word. */
import { characterClass, LETTER, SEPARATOR } from "../../text/language/character-class.ts";
import { SPACED_CUES } from "../../text/language/cues.ts";
import { isApostrophe } from "../../text/language/scan-words.ts";

/** Large enough to make hash collisions rare. */
const PLACES = 2 ** 16;
const START = 0x811c;
const BEGINS_RULE = new Uint8Array(PLACES);

for (const phrase of [...SPACED_CUES.constraint.split(", "), "do not"]) {
  const [word = ""] = phrase.split(/[ -]/);
  let place = START;
  for (let i = 0; i < word.length; i++) place = placeAfter(place, word.charCodeAt(i));
  BEGINS_RULE[place] = 1;
}

function placeAfter(place: number, unit: number): number {
  return (Math.imul(place ^ unit, 0x6b43_a9b5) >>> 8) & (PLACES - 1);
}

/** False if `readCues` finds no constraint. Always true for text without spaces between words. */
export function maySetRule(text: string): boolean {
  const lower = text.toLowerCase();
  let place = START;
  let isInWord = false;
  for (let i = 0; i < lower.length; i++) {
    const unit = lower.charCodeAt(i);
    const kind = characterClass(unit);
    if (kind === LETTER || (isInWord && isApostrophe(unit) && beginsWord(lower, i + 1))) {
      place = placeAfter(place, unit);
      isInWord = true;
    } else if (kind !== SEPARATOR || (isInWord && BEGINS_RULE[place] === 1)) return true;
    else {
      place = START;
      isInWord = false;
    }
  }
  return isInWord && BEGINS_RULE[place] === 1;
}

function beginsWord(text: string, index: number): boolean {
  return index < text.length && characterClass(text.charCodeAt(index)) === LETTER;
}
