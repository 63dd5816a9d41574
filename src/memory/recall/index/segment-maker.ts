/** Who makes segments: the work is the same wherever it is done. */
import { buildSegment } from "./build-segment.ts";
import type { MemoryDocument } from "./memory-document.ts";
import { mergeSegments } from "./merge-segments.ts";
import { openSegment } from "./segment-view.ts";

export interface MemorySegmentMaker {
  build(documents: readonly MemoryDocument[]): Promise<Uint8Array>;
  /** Contents of segments whose runs follow each other. */
  merge(contents: readonly Uint8Array[]): Promise<Uint8Array>;
}

export function mergeContents(contents: readonly Uint8Array[]): Uint8Array {
  return mergeSegments(contents.map(openSegment));
}

/** For whoever need not mind that the event loop waits, such as a command that does nothing else. */
export const INLINE_SEGMENT_MAKER: MemorySegmentMaker = {
  build: async (documents) => buildSegment(documents),
  merge: async (contents) => mergeContents(contents),
};
