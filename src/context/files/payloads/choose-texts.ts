/** Which texts of a tool's result are kept apart, and whether the result is still too large without them. */
import type { Part } from "../../../types.ts";
import type { MarkedValue } from "./mark-strings.ts";
import { SHORTEST, SHORTEST_OF_MANY } from "./payload-limits.ts";

export interface ChosenTexts {
  /** Those that are too large by themselves, and of many small ones the largest, until the rest is not too large. */
  readonly indexes: readonly number[];
  /** Whether what is left, with a reference for each of them, is too large all the same. */
  readonly isTooLarge: boolean;
}

export function chooseTexts(
  { output }: Extract<Part, { type: "tool" }>,
  indexes: readonly number[],
  marked: MarkedValue,
  { limit, encoding }: { readonly limit: number; readonly encoding: "utf8" | "latin1" },
): ChosenTexts {
  const sizeOf = (text: string) => Buffer.byteLength(text, encoding);
  const sized = indexes.map((index) => ({ index, bytes: sizeOf(marked.strings[index] ?? "") }));
  let left = sizeOf(marked.without(output ?? "")) + sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen: number[] = [];
  for (const { index, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    if (left <= limit || bytes <= Math.min(limit, SHORTEST_OF_MANY)) break;
    chosen.push(index);
    left -= bytes;
  }
  return { indexes: chosen, isTooLarge: left + chosen.length * SHORTEST > Math.max(SHORTEST, limit) };
}
