/**
 * One segment from several: the documents of the first, then those of the second, and so on. Pure, and the same bytes
 * as if it had been built of all the documents at once.
 */
import { visitPostings, writePosting } from "../../../search/posting-list.ts";
import type { Term } from "../../../search/terms.ts";
import { compareBytes } from "../../../text/compare-bytes.ts";
import { ByteWriter } from "../../../text/varints.ts";
import type { SegmentView } from "./segment-view.ts";
import { SegmentWriter, type TermPostings } from "./segment-writer.ts";
import { asKind, STEM, WORD } from "./term-kinds.ts";

/** A segment on its way through: the term it stands at, and how many documents stand before its own. */
interface Source {
  readonly view: SegmentView;
  readonly terms: Iterator<TermPostings>;
  readonly offset: number;
  current: TermPostings | undefined;
}

export function mergeSegments(views: readonly SegmentView[]): Uint8Array {
  const writer = new SegmentWriter();
  for (const view of views) addDocuments(writer, view);
  const sources = openSources(views);
  for (;;) {
    const term = leastTerm(sources);
    if (term === undefined) return writer.finish();
    const lists = sources.map((source) => takeTerm(source, term));
    writer.addTerm({ term, ...joinLists(sources, lists) });
  }
}

function addDocuments(writer: SegmentWriter, { documents, lengths, times, erased }: SegmentView): void {
  for (let i = 0; i < documents; i++)
    writer.addDocument({ words: lengths[i] ?? 0, createdAt: times[i] ?? 0 });
  writer.addErased(erased);
}

function openSources(views: readonly SegmentView[]): readonly Source[] {
  let offset = 0;
  return views.map((view) => {
    const source: Source = { view, terms: view.everyTerm(), offset, current: undefined };
    offset += view.documents;
    step(source);
    return source;
  });
}

function step(source: Source): void {
  const { done, value } = source.terms.next();
  source.current = done === true ? undefined : value;
}

function leastTerm(sources: readonly Source[]): Term | undefined {
  let least: Term | undefined;
  for (const { current } of sources)
    if (current !== undefined && (least === undefined || compareBytes(current.term, least) < 0))
      least = current.term;
  return least;
}

/** A stem without a list of its own stands there as a word. */
function takeTerm(source: Source, term: Term): TermPostings | undefined {
  const { current } = source;
  if (current !== undefined && compareBytes(current.term, term) === 0) {
    step(source);
    return current;
  }
  return term[0] === STEM ? source.view.find(asKind(term, WORD)) : undefined;
}

function joinLists(
  sources: readonly Source[],
  lists: readonly (TermPostings | undefined)[],
): Pick<TermPostings, "documents" | "postings"> {
  const bytes = new ByteWriter(64);
  let documents = 0;
  let before = -1;
  lists.forEach((list, i) => {
    const offset = sources[i]?.offset ?? 0;
    documents += list?.documents ?? 0;
    if (list !== undefined)
      visitPostings(list.postings, (document, count) => {
        writePosting(bytes, offset + document - before - 1, count);
        before = offset + document;
      });
  });
  return { documents, postings: bytes.view() };
}
