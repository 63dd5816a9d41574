import { ORDINAL_GAP, type ShapeItem, type StoredSummary } from "../../../store/store.ts";
import { type Chunk, firstItem, leaving } from "./chunk.ts";

/** Where the first item of a chunk stands in a context in its order; -1 when it does not. */
export function placeOfChunk(items: readonly ShapeItem[], chunk: Chunk): number {
  const first = firstItem(chunk);
  if (typeof first === "number") return placeOfMessage(items, first);
  return items.findIndex((item) => item.type === "summary" && item.summary === first);
}

/** A context may have a hundred thousand items, and each leaf is looked for twice. */
function placeOfMessage(items: readonly ShapeItem[], seq: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.ordinal ?? 0) < seq * ORDINAL_GAP) low = middle + 1;
    else high = middle;
  }
  const item = items[low];
  return item?.type === "message" && item.seq === seq ? low : -1;
}

type ReplacingSummary = Pick<StoredSummary, "id" | "firstSeq" | "tokenCount" | "depth" | "quality">;

/** Puts a published summary in the place of its sources, or of the one it replaces, in a list that was read before. */
export function replaceSources(
  items: ShapeItem[],
  chunk: Chunk,
  { id, firstSeq, tokenCount, depth, quality }: ReplacingSummary,
): void {
  items.splice(placeOfChunk(items, chunk), leaving(chunk).items, {
    ordinal: firstSeq * ORDINAL_GAP,
    type: "summary",
    summary: id,
    tokenCount,
    depth,
    quality,
  });
}
