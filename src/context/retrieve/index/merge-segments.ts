/** Merges several segments into one: the documents of the first, then those of the second, and so on. Pure. */

import { mergeTerms } from "../../../search/index/merge-terms.ts";
import { type Page, PageWriter, readPages } from "../../../search/index/pages.ts";
import { isTool } from "../../../search/terms.ts";
import type { BuiltSegment } from "./build-segment.ts";
import { type DocumentFacts, factsOf, packDocuments, unpackDocuments } from "./documents.ts";

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

function mergePages(segments: readonly BuiltSegment[]): readonly Page[] {
  const writer = new PageWriter();
  const sources = segments.map(({ documents, pages }) => ({ documents, terms: readPages(pages) }));
  let isAtTools = false;
  mergeTerms(sources, (entry) => {
    if (isTool(entry.term) && !isAtTools) writer.finishPage();
    isAtTools = isTool(entry.term);
    writer.addTerm(entry);
  });
  writer.finishPage();
  return writer.pages;
}
