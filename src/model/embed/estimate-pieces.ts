/**
 * How many word pieces a character adds to what a model reads, rather too many than too few: a passage that is longer
 * than the model reads loses its end. Counted against MiniLM's tokenizer, whose vocabulary is small and English; models
 * with larger vocabularies make fewer pieces of the same text.
 */

/** In twelfths of a piece, so that sums are whole numbers. */
export const PIECE = 12;

/** The cost of a code point, after the one before it. */
export function costOf(point: number, before: number): number {
  if (isLetter(point)) return costOfLetter(point, before);
  if (point <= 0x20) return 0;
  if (isDigit(point)) return DIGIT;
  if (point < 0x80) return PIECE;
  if (point < 0x250) return HALF;
  if (isHangul(point)) return 2 * PIECE;
  return point >= 0x2e80 ? PIECE + HALF : PIECE;
}

const HALF = PIECE / 2;
/** Words of four letters are one piece and a half, and each further piece takes in three letters: German has such. */
const LETTER = 4;
/** Numbers are known up to a few digits; in hashes, every change between digits and letters begins a piece. */
const DIGIT = 9;

function costOfLetter(point: number, before: number): number {
  if (isDigit(before)) return DIGIT;
  const isCapital = point < 0x60;
  return isLetter(before) && !isCapital ? LETTER : HALF;
}

function isLetter(point: number): boolean {
  const small = point | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function isDigit(point: number): boolean {
  return point >= 0x30 && point <= 0x39;
}

/** Syllables are taken apart into their letters. */
function isHangul(point: number): boolean {
  return point >= 0xac00 && point <= 0xd7a3;
}
