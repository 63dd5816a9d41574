/** A message's parts up to a character, counted as its words are: over the texts of `textsOfParts`, one behind the other. */
import { definitionOf } from "../../message/parts/index.ts";
import type { Part } from "../../types.ts";
import { lengthOf, textsOfParts } from "./message-text.ts";

/** The words that are left are the first `characters` of all; what begins behind them is left out. */
export function cutParts(parts: readonly Part[], characters: number): Part[] {
  const cut: Part[] = [];
  let room = characters;
  for (const part of parts) {
    if (room <= 0) break;
    const length = lengthOf(textsOfParts([part]));
    cut.push(definitionOf(part).cut(part, Math.min(room, length)));
    room -= length;
  }
  return cut;
}
