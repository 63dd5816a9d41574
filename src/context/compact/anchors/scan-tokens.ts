/**
 * Cuts text into tokens as typed: words with their inner dots, slashes, dashes and colons, numbers with
 * their separators, whole URLs. Lower-case words without marks, most of any text, are skipped, because they are not
 * anchors. One pass over the code units also records what each token contains, so that no later pass is needed.
 */
import { characterClass, LETTER } from "../../../text/language/character-class.ts";

/** What a token may contain. */
export const MARK = {
  digit: 1,
  capital: 2,
  /** A lower-case letter directly before an upper-case one. */
  hump: 4,
  small: 8,
  /** A non-ASCII letter. */
  other: 16,
  dot: 32,
  /** Slash or backslash. */
  slash: 64,
  colon: 128,
  dash: 256,
  underscore: 512,
  /** One of `@#+~%&?$^`, or a special hyphen, minus or degree sign. */
  sign: 1024,
  /** The token is a URL; no other mark is set. */
  url: 2048,
} as const;

/** Characters that join words to a token. The mark may come from a trailing character that is cut off. */
export const JOINED = MARK.dot | MARK.slash | MARK.colon | MARK.dash | MARK.underscore | MARK.sign | MARK.url;
const SHAPES = MARK.digit | MARK.capital | JOINED;

const TABLE = new Uint16Array(128);
function setMark(characters: string, mark: number): void {
  for (const character of characters) TABLE[character.charCodeAt(0)] = mark;
}
setMark("0123456789", MARK.digit);
setMark("ABCDEFGHIJKLMNOPQRSTUVWXYZ", MARK.capital);
setMark("abcdefghijklmnopqrstuvwxyz", MARK.small);
setMark(".", MARK.dot);
setMark("/\\", MARK.slash);
setMark(":", MARK.colon);
setMark("-", MARK.dash);
setMark("_", MARK.underscore);
setMark("@#+~%&?$^", MARK.sign);

const TRAILING = new Set([..."._-:?&+@#~$^"].map((character) => character.charCodeAt(0)));
const URL_END = new Set([..."\"'`<>()[]{}|\\^"].map((character) => character.charCodeAt(0)));
const URL_TRAILING = new Set([...".,;:!?"].map((character) => character.charCodeAt(0)));
/** Longer tokens are data, not something that a person would name. */
const LONGEST = 240;

/** Iterates over the tokens. */
export class TokenScanner {
  start = 0;
  end = 0;
  /** Mask of `MARK`. */
  marks = 0;
  readonly units: Uint16Array;
  /** The position after the token. */
  #at = 0;

  constructor(text: string) {
    this.units = utf16Units(text);
  }

  /** Returns false after the last token. */
  next(): boolean {
    const { units } = this;
    let at = this.#at;
    while (at < units.length) {
      if (marksOf(units[at] as number) === 0) at++;
      else {
        at = this.#read(at);
        if (this.marks === 0) continue;
        this.#at = at;
        return true;
      }
    }
    return false;
  }

  /** Reads the token that starts here and returns its end. It has no marks if it is not a token. */
  #read(start: number): number {
    const { units } = this;
    let marks = 0;
    let before = 0;
    let firstJoined = units.length;
    let i = start;
    for (; i < units.length; i++) {
      const own = marksOf(units[i] as number);
      if (own === 0 && !isDigitGroup(units, i)) break;
      if ((own & JOINED) !== 0) {
        if (own === MARK.colon && isUrl(units, i)) return this.#keep(start, endOfUrl(units, i + 3), MARK.url);
        if (i < firstJoined) firstJoined = i;
      } else if (before === MARK.small && (own & MARK.capital) !== 0) marks |= MARK.hump;
      marks |= own;
      before = own;
    }
    if ((marks & SHAPES) === 0) this.marks = 0;
    else this.#keep(start, i, marks, firstJoined);
    return i;
  }

  #keep(start: number, end: number, marks: number, firstJoined = start): number {
    let last = end;
    while (last > start && TRAILING.has(this.units[last - 1] as number)) last--;
    // A full stop after a word does not count as joining.
    const inside = firstJoined < last ? marks : marks & ~JOINED;
    // A single letter is not a token, but a single digit may be followed by a unit.
    const isLong = last - start > 1 || (last > start && (marks & MARK.digit) !== 0);
    this.start = start;
    this.end = last;
    this.marks = isLong && last - start <= LONGEST && inside !== MARK.small ? inside : 0;
    return end;
  }
}

/** 0 for every character that ends a token. */
function marksOf(unit: number): number {
  return unit < 128 ? (TABLE[unit] as number) : wideMarksOf(unit);
}

function wideMarksOf(unit: number): number {
  if (characterClass(unit) === LETTER) return isCapital(unit) ? MARK.capital | MARK.other : MARK.other;
  // Hyphens, the minus sign and the degree sign occur inside numbers and ids.
  return unit === 0x2010 || unit === 0x2011 || unit === 0x2212 || unit === 0xb0 ? MARK.sign : 0;
}

function isCapital(unit: number): boolean {
  const character = String.fromCharCode(unit);
  return character !== character.toLowerCase();
}

/** A comma between digits, as in 12,345 or 1087,5. */
function isDigitGroup(units: Uint16Array, index: number): boolean {
  return units[index] === 0x2c && isDigit(units[index - 1]) && isDigit(units[index + 1]);
}

export function isDigit(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 0x30 && unit <= 0x39;
}

/** Whether `://` follows at this colon. */
function isUrl(units: Uint16Array, index: number): boolean {
  return units[index + 1] === 0x2f && units[index + 2] === 0x2f;
}

function endOfUrl(units: Uint16Array, start: number): number {
  let i = start;
  while (i < units.length && isInUrl(units[i] as number)) i++;
  while (i > start && URL_TRAILING.has(units[i - 1] as number)) i--;
  return i;
}

function isInUrl(unit: number): boolean {
  return unit > 0x20 && unit < 0x2000 && unit !== 0xa0 && !URL_END.has(unit);
}

/** The UTF-16 code units in an array: scanning it is several times faster than reading the string. */
function utf16Units(text: string): Uint16Array {
  const bytes = Buffer.from(text, "utf16le");
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}
