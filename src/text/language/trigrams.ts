/**
 * The trigrams of a text as numbers, ignoring case. A text that contains another one
 * has all its trigrams; the reverse must be checked on the text itself, since numbers of rare characters collide.
 */

/** Three ASCII characters make 21 bits and are exact; all others are hashed above them. */
const ASCII_BITS = 7;
export const ASCII_TRIGRAMS = 1 << (3 * ASCII_BITS);
const HASHED = 0x8000_0000;

type VisitTrigram = (trigram: number) => void;

/** Visits each trigram, including repeated ones. */
export function visitTrigrams(text: string, visit: VisitTrigram): void {
  let first = -1;
  let second = -1;
  for (let i = 0; i < text.length; i++) {
    let point = text.charCodeAt(i);
    if (point < 128) {
      if (point >= 65 && point <= 90) point += 32;
    } else {
      const whole = text.codePointAt(i) ?? point;
      if (whole > 0xffff) i++;
      point = foldCase(whole);
    }
    if (first >= 0) visit(trigramOf(first, second, point));
    first = second;
    second = point;
  }
}

export function trigramsOf(text: string): number[] {
  const trigrams = new Set<number>();
  visitTrigrams(text, (trigram) => trigrams.add(trigram));
  return [...trigrams];
}

function trigramOf(first: number, second: number, third: number): number {
  if ((first | second | third) < 128) return (first << (2 * ASCII_BITS)) | (second << ASCII_BITS) | third;
  const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (HASHED | (hash ^ (hash >>> 15))) >>> 0;
}

const folded = new Map<number, number>();

/**
 * Maps code points that differ only in case to one, so that texts that match ignoring case fold to the
 * same. Upper case first: `ſ` and `s`, `ς` and `σ` have the same. Characters that would become several are unchanged.
 * Halves of a broken pair become the replacement character, as they do in UTF-8.
 */
function foldCase(point: number): number {
  let result = folded.get(point);
  if (result === undefined) {
    result = foldOnce(point);
    folded.set(point, result);
  }
  return result;
}

function foldOnce(point: number): number {
  if (point >= 0xd800 && point <= 0xdfff) return 0xfffd;
  const character = String.fromCodePoint(point);
  const upper = ifSingle(character.toUpperCase(), character);
  return ifSingle(upper.toLowerCase(), upper).codePointAt(0) ?? point;
}

function ifSingle(changed: string, before: string): string {
  return [...changed].length === 1 ? changed : before;
}
