/**
 * Cuts text into tokens as they are typed: words with their inner dots, slashes, dashes and colons, numbers with
 * their separators, whole URLs. Plain words in small letters are no anchors and are passed over, which is most of any
 * text. One pass; every unit is looked at a bounded number of times.
 */
import { characterClass, LETTER } from "../../../text/character-class.ts";

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly hasDigit: boolean;
  /** Holds one of `._-/\:@#+~%&?$^`. */
  readonly isJoined: boolean;
  /** A small letter right before a capital one. */
  readonly hasHump: boolean;
}

const DIGIT = 1;
const CAPITAL = 2;
const HUMP = 4;
const JOINED = 8;
/** Letters that give a token no shape: small ones of our alphabet, and those of others. */
const SMALL = 16;
const OTHER = 32;
const SHAPES = DIGIT | CAPITAL | JOINED;

const TABLE = new Uint8Array(128);
for (const character of "._-/\\:@#+~%&?$^") TABLE[character.charCodeAt(0)] = JOINED;
for (let unit = 0x30; unit <= 0x39; unit++) TABLE[unit] = DIGIT;
for (let unit = 0x41; unit <= 0x5a; unit++) TABLE[unit] = CAPITAL;
for (let unit = 0x61; unit <= 0x7a; unit++) TABLE[unit] = SMALL;
const TRAILING = new Set([..."._-:?&+@#~$^"].map((character) => character.charCodeAt(0)));
const URL_END = new Set([..."\"'`<>()[]{}|\\^"].map((character) => character.charCodeAt(0)));
/** Longer tokens are data, not something a person would name. */
const LONGEST = 240;

export function scanTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    if (shapeOf(text, i) === 0) i++;
    else i = readToken(text, i, tokens);
  }
  return tokens;
}

/** Letters, digits and what joins them; 0 for everything that ends a token. */
function shapeOf(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit < 128 ? (TABLE[unit] ?? 0) : wideShapeOf(unit, text, index);
}

function wideShapeOf(unit: number, text: string, index: number): number {
  if (characterClass(unit) === LETTER) return isCapital(text.charAt(index)) ? CAPITAL : OTHER;
  // Hyphens, the minus sign and the degree sign are typed inside numbers and ids.
  return unit === 0x2010 || unit === 0x2011 || unit === 0x2212 || unit === 0xb0 ? JOINED : 0;
}

function isCapital(character: string): boolean {
  return character !== character.toLowerCase();
}

/** Reads the token that starts here and answers where it ends. */
function readToken(text: string, start: number, tokens: Token[]): number {
  let shape = 0;
  let wasSmall = false;
  let i = start;
  for (; i < text.length; i++) {
    const own = shapeOf(text, i);
    if (own === 0 && !isDigitGroup(text, i)) break;
    if (own === JOINED && isUrl(text, i)) return addToken(text, start, endOfUrl(text, i + 3), JOINED, tokens);
    if (own === CAPITAL && wasSmall) shape |= HUMP;
    shape |= own & SHAPES;
    wasSmall = own === SMALL;
  }
  return shape === 0 ? i : addToken(text, start, i, shape, tokens);
}

/** A comma between digits, as in 12,345 or 1087,5. */
function isDigitGroup(text: string, index: number): boolean {
  return (
    text.charCodeAt(index) === 0x2c &&
    isDigit(text.charCodeAt(index - 1)) &&
    isDigit(text.charCodeAt(index + 1))
  );
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isUrl(text: string, index: number): boolean {
  return text.charCodeAt(index) === 0x3a && text.startsWith("://", index);
}

function endOfUrl(text: string, start: number): number {
  let i = start;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x20 || unit >= 0x2000 || unit === 0xa0 || URL_END.has(unit)) break;
    i++;
  }
  while (i > start && ".,;:!?".includes(text.charAt(i - 1))) i--;
  return i;
}

function addToken(text: string, start: number, end: number, shape: number, tokens: Token[]): number {
  let last = end;
  while (last > start && TRAILING.has(text.charCodeAt(last - 1))) last--;
  // One letter names nothing, but one digit may have a unit behind it.
  const isLong = last - start > 1 || (shape & DIGIT) !== 0;
  if (last > start && isLong && last - start <= LONGEST)
    tokens.push({
      text: text.slice(start, last),
      start,
      end: last,
      hasDigit: (shape & DIGIT) !== 0,
      isJoined: (shape & JOINED) !== 0,
      hasHump: (shape & HUMP) !== 0,
    });
  return end;
}
