import { ORDINAL_GAP, type ShapeItem, type StoredSummary } from "../../store/store.ts";
import type { Chunk } from "./plan-compaction.ts";

/** Puts a published summary in the place of its sources in a list that was read before. */
export function replaceSources(items: ShapeItem[], chunk: Chunk, summary: StoredSummary): void {
  const isFirst = (item: ShapeItem) =>
    item.type === "message"
      ? chunk.kind === "leaf" && item.seq === chunk.seqs[0]
      : chunk.kind === "condensed" && item.summary === chunk.ids[0];
  const { id, tokenCount, depth, quality } = summary;
  items.splice(items.findIndex(isFirst), chunk.kind === "leaf" ? chunk.seqs.length : chunk.ids.length, {
    ordinal: summary.firstSeq * ORDINAL_GAP,
    type: "summary",
    summary: id,
    tokenCount,
    depth,
    quality,
  });
}
