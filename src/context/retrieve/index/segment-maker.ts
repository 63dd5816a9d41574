/** Who makes segments: the work is the same wherever it is done. */
import type { BuiltSegment, IndexedDocument } from "./build-segment.ts";

export interface SegmentMaker {
  build(documents: readonly IndexedDocument[]): Promise<BuiltSegment>;
  merge(segments: readonly BuiltSegment[]): Promise<BuiltSegment>;
}
