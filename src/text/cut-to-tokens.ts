/** The longest prefix of a text within a token limit, cut at the end of a line or a word if one is near. */
import type { CountTokens } from "./estimate-tokens.ts";

/** How far the cut may move back to the end of a line or word, as a share of the kept text. */
const SLACK = 0.2;

export function cutToTokens(text: string, tokens: number, countTokens: CountTokens): string {
  if (countTokens(text) <= tokens) return text;
  let [fits, tooLong] = [0, text.length];
  while (fits + 1 < tooLong) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countTokens(text.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, edgeBefore(text, fits));
}

function edgeBefore(text: string, length: number): number {
  const near = ["\n", " "].map((sign) => text.lastIndexOf(sign, length));
  const edge = near.find((at) => at > length * (1 - SLACK));
  if (edge !== undefined) return edge;
  const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, length - 1), length + 1));
  return splitsPair ? length - 1 : length;
}
