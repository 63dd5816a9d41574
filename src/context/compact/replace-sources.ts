import { ORDINAL_GAP, type ShapeItem, type StoredSummary } from "../../store/store.ts";
import { type Chunk, leaving } from "./plan/chunk.ts";
import { placeOfChunk } from "./plan/place-of-chunk.ts";

/** Puts a published summary in the place of its sources, or of the one it replaces, in a list that was read before. */
export function replaceSources(items: ShapeItem[], chunk: Chunk, summary: StoredSummary): void {
  const { id, tokenCount, depth, quality } = summary;
  items.splice(placeOfChunk(items, chunk), leaving(chunk).items, {
    ordinal: summary.firstSeq * ORDINAL_GAP,
    type: "summary",
    summary: id,
    tokenCount,
    depth,
    quality,
  });
}
