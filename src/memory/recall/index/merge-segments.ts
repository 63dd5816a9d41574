/**
 * Merges segments: the documents of the first, then those of the second, and so on. Pure, and gives the same bytes
 * as a segment built from all the documents at once.
 */
import { mergeTerms, type SegmentTerms } from "../../../search/index/merge-terms.ts";
import { PackedSegment } from "../../../search/index/packed-segment.ts";
import { PackedSegmentWriter } from "../../../search/index/packed-segment-writer.ts";
import { asKind, STEM, WORD } from "./term-kinds.ts";

export function mergeSegments(contents: readonly Uint8Array[]): Uint8Array {
  const writer = new PackedSegmentWriter();
  const segments = contents.map((content) => new PackedSegment(content));
  for (const segment of segments) addDocuments(writer, segment);
  mergeTerms(segments.map(termsOf), (entry) => writer.addTerm(entry));
  return writer.finish();
}

function addDocuments(
  writer: PackedSegmentWriter,
  { documents, lengths, times, erased }: PackedSegment,
): void {
  for (let i = 0; i < documents; i++)
    writer.addDocument({ words: lengths[i] ?? 0, createdAt: times[i] ?? 0 });
  writer.addErased(erased);
}

/** A stem without its own list uses the list of the word. */
function termsOf(segment: PackedSegment): SegmentTerms {
  return {
    documents: segment.documents,
    terms: segment.everyTerm(),
    findUnlisted: (term) => (term[0] === STEM ? segment.find(asKind(term, WORD)) : undefined),
  };
}
