/** Makes segments. The work is the same wherever it is done. */
export interface SegmentMaker<Document, Segment> {
  build(documents: readonly Document[]): Promise<Segment>;
  merge(segments: readonly Segment[]): Promise<Segment>;
}
