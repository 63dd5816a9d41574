/** The documents that a search considers, independent of its query. */

import { markPostings } from "../../search/index/posting-list.ts";
import type { TermPostings } from "../../search/index/term-entries.ts";
import { toolTerm } from "../../search/terms.ts";
import type { DocumentKind, TermRange } from "../../store/search-store.ts";
import { type Speaker, speakerCode } from "./index/documents.ts";
import { only } from "./parse-query.ts";
import type { SegmentView } from "./segment-reader.ts";

export interface DocumentFilter {
  /** Ids of conversations. Null: all. */
  readonly conversations: ReadonlySet<string> | null;
  readonly kinds: ReadonlySet<DocumentKind> | null;
  /** Excludes summaries, which have no speaker. Null: all. */
  readonly speakers: ReadonlySet<Speaker> | null;
  /** The name of a tool that was called or answered. Null: any or none. */
  readonly tool: string | null;
  /** Milliseconds since 1970, inclusive. */
  readonly since: number;
  /** Exclusive. */
  readonly before: number;
}

export function isFiltering({
  conversations,
  kinds,
  speakers,
  tool,
  since,
  before,
}: DocumentFilter): boolean {
  const isSet = [conversations, kinds, speakers, tool].some((one) => one !== null);
  return isSet || since !== Number.NEGATIVE_INFINITY || before !== Number.POSITIVE_INFINITY;
}

/** The ranges of the index needed to know a document's tools. */
export function filterRanges({ tool }: DocumentFilter): readonly TermRange[] {
  return tool === null ? [] : [only(toolTerm(tool))];
}

interface AcceptedDocuments {
  /** By document: 1 if it passes. */
  readonly has: Uint8Array;
  readonly count: number;
}

const NONE: AcceptedDocuments = { has: new Uint8Array(0), count: 0 };

/** Most segments contain no such document, which their runs already show. */
export function acceptedDocuments(
  view: SegmentView,
  filter: DocumentFilter,
  tools: readonly TermPostings[],
): AcceptedDocuments {
  const runs = view.runs.filter(
    ({ conversation, kind }) =>
      filter.conversations?.has(conversation) !== false && filter.kinds?.has(kind) !== false,
  );
  if (runs.length === 0) return NONE;
  const has = new Uint8Array(view.documents);
  for (const { first, last, start } of runs) has.fill(1, start, start + last - first + 1);
  if (filter.tool !== null) keepOnly(has, tools);
  keepInTime(has, view, filter);
  keepSpeakers(has, view, filter);
  return { has, count: countOf(has) };
}

export function countOf(has: Uint8Array): number {
  let count = 0;
  for (let document = 0; document < has.length; document++) count += has[document] ?? 0;
  return count;
}

function keepInTime(has: Uint8Array, { columns: { times } }: SegmentView, filter: DocumentFilter): void {
  const { since, before } = filter;
  if (since === Number.NEGATIVE_INFINITY && before === Number.POSITIVE_INFINITY) return;
  for (let document = 0; document < has.length; document++) {
    const time = times[document] ?? 0;
    if (time < since || time >= before) has[document] = 0;
  }
}

function keepSpeakers(has: Uint8Array, { columns: { speakers } }: SegmentView, filter: DocumentFilter): void {
  if (filter.speakers === null) return;
  const wanted = new Set([...filter.speakers].map(speakerCode));
  for (let document = 0; document < has.length; document++)
    if (!wanted.has(speakers[document] ?? 0)) has[document] = 0;
}

function keepOnly(has: Uint8Array, lists: readonly TermPostings[]): void {
  const named = new Uint8Array(has.length);
  for (const { postings } of lists) markPostings(postings, named);
  for (let document = 0; document < has.length; document++)
    has[document] = (has[document] ?? 0) & (named[document] ?? 0);
}
