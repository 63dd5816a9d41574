/** One segment from several: the documents of the first, then those of the second, and so on. Pure. */

import { visitPostings, writePosting } from "../../../search/posting-list.ts";
import { isTool } from "../../../search/terms.ts";
import { compareBytes } from "../../../text/compare-bytes.ts";
import { ByteWriter } from "../../../text/varints.ts";
import type { BuiltSegment } from "./build-segment.ts";
import { type DocumentFacts, factsOf, packDocuments, unpackDocuments } from "./documents.ts";
import { type Page, PageWriter, readPage, type TermPostings } from "./pages.ts";

export function mergeSegments(segments: readonly BuiltSegment[]): BuiltSegment {
  const facts: DocumentFacts[] = segments.flatMap(({ columns, documents }) =>
    factsOf(unpackDocuments(columns, documents)),
  );
  return {
    documents: facts.length,
    words: segments.reduce((sum, { words }) => sum + words, 0),
    earliest: Math.min(...segments.map(({ earliest }) => earliest)),
    latest: Math.max(...segments.map(({ latest }) => latest)),
    columns: packDocuments(facts),
    pages: mergePages(segments),
  };
}

/** A segment on its way through: the term it stands at, and how many documents stand before its own. */
interface Source {
  readonly terms: Iterator<TermPostings>;
  readonly offset: number;
  current: TermPostings | undefined;
}

function mergePages(segments: readonly BuiltSegment[]): readonly Page[] {
  const writer = new PageWriter();
  let sources = openSources(segments);
  let isAtTools = false;
  while (sources.length > 0) {
    const term = sources.reduce(
      (least, { current }) =>
        current !== undefined && compareBytes(current.term, least) < 0 ? current.term : least,
      sources[0]?.current?.term ?? new Uint8Array(0),
    );
    const holders = sources.filter(
      ({ current }) => current !== undefined && compareBytes(current.term, term) === 0,
    );
    if (isTool(term) && !isAtTools) writer.finish();
    isAtTools = isTool(term);
    writer.add({ term, ...joinPostings(holders) });
    for (const source of holders) step(source);
    if (holders.some(({ current }) => current === undefined))
      sources = sources.filter(({ current }) => current !== undefined);
  }
  writer.finish();
  return writer.pages;
}

function openSources(segments: readonly BuiltSegment[]): Source[] {
  let offset = 0;
  return segments
    .map(({ pages, documents }) => {
      const source: Source = { terms: readPages(pages), offset, current: undefined };
      offset += documents;
      step(source);
      return source;
    })
    .filter(({ current }) => current !== undefined);
}

function* readPages(pages: readonly Page[]): Generator<TermPostings> {
  for (const { page } of pages) yield* readPage(page);
}

function step(source: Source): void {
  const { done, value } = source.terms.next();
  source.current = done === true ? undefined : value;
}

function joinPostings(holders: readonly Source[]): Pick<TermPostings, "documents" | "postings"> {
  const bytes = new ByteWriter(64);
  let documents = 0;
  let before = -1;
  for (const { current, offset } of holders) {
    documents += current?.documents ?? 0;
    if (current !== undefined)
      visitPostings(current.postings, (document, count) => {
        writePosting(bytes, offset + document - before - 1, count);
        before = offset + document;
      });
  }
  return { documents, postings: bytes.view() };
}
