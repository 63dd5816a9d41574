/** Merges the terms of several segments into one list. Documents keep the order of the segments. */
import { compareBytes } from "../../text/bytes.ts";
import { ByteWriter } from "../../text/varints.ts";
import type { Term } from "../terms.ts";
import { visitPostings, writePosting } from "./posting-list.ts";
import type { TermPostings } from "./term-entries.ts";

export interface SegmentTerms {
  readonly documents: number;
  /** In ascending order. */
  readonly terms: Iterator<TermPostings>;
  /** Finds a term that the segment does not list because another term implies it. */
  readonly findUnlisted?: (term: Term) => TermPostings | undefined;
}

/** A segment positioned at one of its terms. `offset`: the number of documents in the segments before it. */
interface Source {
  readonly segment: SegmentTerms;
  readonly offset: number;
  current: TermPostings | undefined;
}

/** Visits every term of the segments once, in ascending order. */
export function mergeTerms(segments: readonly SegmentTerms[], visit: (entry: TermPostings) => void): void {
  const sources = openSources(segments);
  for (;;) {
    const term = leastTerm(sources);
    if (term === undefined) return;
    visit(joinPostings(sources, term));
  }
}

function openSources(segments: readonly SegmentTerms[]): readonly Source[] {
  let offset = 0;
  return segments.map((segment) => {
    const source: Source = { segment, offset, current: undefined };
    offset += segment.documents;
    step(source);
    return source;
  });
}

function step(source: Source): void {
  const { done, value } = source.segment.terms.next();
  source.current = done === true ? undefined : value;
}

function leastTerm(sources: readonly Source[]): Term | undefined {
  let least: Term | undefined;
  for (const { current } of sources)
    if (current !== undefined && (least === undefined || compareBytes(current.term, least) < 0))
      least = current.term;
  return least;
}

function joinPostings(sources: readonly Source[], term: Term): TermPostings {
  const bytes = new ByteWriter(64);
  let documents = 0;
  let before = -1;
  for (const source of sources) {
    const found = takeTerm(source, term);
    if (found === undefined) continue;
    const { offset } = source;
    documents += found.documents;
    visitPostings(found.postings, (document, count) => {
      writePosting(bytes, offset + document - before - 1, count);
      before = offset + document;
    });
  }
  return { term, documents, postings: bytes.view() };
}

/** Advances to the next term if the source is at this one. */
function takeTerm(source: Source, term: Term): TermPostings | undefined {
  const { current, segment } = source;
  if (current === undefined || compareBytes(current.term, term) !== 0) return segment.findUnlisted?.(term);
  step(source);
  return current;
}
