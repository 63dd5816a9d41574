/**
 * Token estimate without a tokenizer: per code point 0.25, CJK 1.5, above U+FFFF 2, rounded up.
 * A real tokenizer can be passed to the engine instead.
 */
export type CountTokens = (text: string) => number;

/** The first code unit that can count for more than a quarter is U+1100. */
const MAY_COUNT_MORE = /[\u1100-\uffff]/;

export const estimateTokens: CountTokens = (text) => {
  // Most text has no such character, which the expression checks fastest.
  if (!MAY_COUNT_MORE.test(text)) return Math.ceil(text.length / 4);
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x1100) {
      quarters += 1;
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) {
      quarters += 8;
      i++;
    } else {
      quarters += isCjk(unit) ? 6 : 1;
    }
  }
  return Math.ceil(quarters / 4);
};

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Han, kana, Hangul, CJK punctuation and full-width forms of the basic plane. */
function isCjk(unit: number): boolean {
  return (
    (unit >= 0x1100 && unit <= 0x11ff) ||
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xa960 && unit <= 0xa97f) ||
    (unit >= 0xac00 && unit <= 0xd7ff) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xfe30 && unit <= 0xfe4f) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}

/** How many characters from the start of a text make up at most this many tokens. */
export function lengthWithin(text: string, tokens: number): number {
  // No character counts for less than a quarter.
  let [fits, tooLong] = [0, Math.min(text.length, 4 * tokens) + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return fits;
}
