/**
 * The three-character pieces of a text, without regard to case, each as a number. A text that contains another one
 * has all its trigrams; the reverse must be checked on the text itself, since numbers of rare characters collide.
 */
import { foldCase } from "./fold-case.ts";

/** Three ASCII characters make 21 bits, told apart exactly; all others are hashed above them. */
const ASCII_BITS = 7;
export const ASCII_TRIGRAMS = 1 << (3 * ASCII_BITS);
const HASHED = 0x8000_0000;

export type VisitTrigram = (trigram: number) => void;

/** Visits each trigram, also repeatedly. */
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
