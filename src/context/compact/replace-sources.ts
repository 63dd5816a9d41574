import { ORDINAL_GAP, type ShapeItem, type StoredSummary } from "../../store/store.ts";
import { type Chunk, firstItem, leaving } from "./chunk.ts";

/** Puts a published summary in the place of its sources, or of the one it replaces, in a list that was read before. */
export function replaceSources(items: ShapeItem[], chunk: Chunk, summary: StoredSummary): void {
  const first = firstItem(chunk);
  const isFirst = (item: ShapeItem) => (item.type === "message" ? item.seq : item.summary) === first;
  const { id, tokenCount, depth, quality } = summary;
  items.splice(items.findIndex(isFirst), leaving(chunk).items, {
    ordinal: summary.firstSeq * ORDINAL_GAP,
    type: "summary",
    summary: id,
    tokenCount,
    depth,
    quality,
  });
}
