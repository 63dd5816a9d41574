/** The class of a UTF-16 unit for splitting words, from one table. */

export const SEPARATOR = 0;
/** A letter or digit of a script that puts spaces between words. */
export const LETTER = 1;
/** Han, kana, Thai and others that write without spaces. */
export const UNSPACED = 2;
/** Hangul: spaces between words, attached endings. */
export const HANGUL = 3;

/** First unit, last unit, class. Later rows win. */
const RANGES: readonly (readonly [number, number, number])[] = [
  [0x30, 0x39, LETTER],
  [0x41, 0x5a, LETTER],
  [0x61, 0x7a, LETTER],
  [0xaa, 0xaa, LETTER],
  [0xb5, 0xb5, LETTER],
  [0xba, 0xba, LETTER],
  [0xc0, 0xd6, LETTER],
  [0xd8, 0xf6, LETTER],
  [0xf8, 0x2af, LETTER],
  [0x300, 0x373, LETTER],
  [0x376, 0x10ff, LETTER],
  [0x1200, 0x1fff, LETTER],
  [0x2126, 0x2126, LETTER],
  [0x2c00, 0x2dff, LETTER],
  [0xa640, 0xa95f, LETTER],
  [0xfb00, 0xfdff, LETTER],
  [0xfe70, 0xfefc, LETTER],
  [0x0e00, 0x0eff, UNSPACED],
  [0x1000, 0x109f, UNSPACED],
  [0x1780, 0x17ff, UNSPACED],
  [0x3005, 0x3007, UNSPACED],
  [0x3041, 0x30fa, UNSPACED],
  [0x30fc, 0x30ff, UNSPACED],
  [0x3400, 0x4dbf, UNSPACED],
  [0x4e00, 0x9fff, UNSPACED],
  [0xf900, 0xfaff, UNSPACED],
  [0xff66, 0xff9f, UNSPACED],
  [0x1100, 0x11ff, HANGUL],
  [0xac00, 0xd7a3, HANGUL],
];

const CLASSES = new Uint8Array(0x10000);
for (const [first, last, name] of RANGES) CLASSES.fill(name, first, last + 1);

export function characterClass(unit: number): number {
  return CLASSES[unit] ?? SEPARATOR;
}

export function isHiragana(unit: number): boolean {
  return unit >= 0x3041 && unit <= 0x309f;
}
