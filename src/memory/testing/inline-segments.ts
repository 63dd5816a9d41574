/** Makes segments on the caller's thread. */
import { buildSegment } from "../recall/index/build-segment.ts";
import type { MemorySegmentMaker } from "../recall/index/memory-indexer.ts";
import { mergeSegments } from "../recall/index/merge-segments.ts";

export const INLINE_SEGMENT_MAKER: MemorySegmentMaker = {
  build: async (documents) => buildSegment(documents),
  merge: async (contents) => mergeSegments(contents),
};
