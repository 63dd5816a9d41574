/** A message's parts up to a character position, counted over the concatenated texts of `textsOfParts`. */
import { definitionOf } from "../../message/parts/index.ts";
import type { Part } from "../../types.ts";
import { lengthOf, textsOfParts } from "./message-text.ts";

/** Keeps the first `characters` characters; parts that begin after them are left out. */
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
