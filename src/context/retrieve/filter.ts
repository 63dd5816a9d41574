/** Which documents a search looks at, whatever they say. */
import type { DocumentKind, TermRange } from "../../store/search-store.ts";
import { type Speaker, speakerCode } from "./index/documents.ts";
import type { TermPostings } from "./index/pages.ts";
import { visitPostings } from "./index/posting-list.ts";
import { toolTerm } from "./index/terms.ts";
import { only } from "./parse-query.ts";
import type { SegmentView } from "./segment-reader.ts";

export interface DocumentFilter {
  /** Ids of conversations. Null: all. */
  readonly conversations: ReadonlySet<string> | null;
  readonly kinds: ReadonlySet<DocumentKind> | null;
  /** Leaves out summaries, which nobody said. Null: all. */
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

/** What must be read of the index to know a document's tools. */
export function filterRanges({ tool }: DocumentFilter): readonly TermRange[] {
  return tool === null ? [] : [only(toolTerm(tool))];
}

/** For each document of a segment whether it is looked at. */
export function acceptedDocuments(
  view: SegmentView,
  filter: DocumentFilter,
  tools: readonly TermPostings[],
): Uint8Array {
  const accepted = new Uint8Array(view.documents);
  for (const { conversation, kind, first, last, start } of view.runs)
    if (filter.conversations?.has(conversation) !== false && filter.kinds?.has(kind) !== false)
      accepted.fill(1, start, start + last - first + 1);
  if (filter.tool !== null) keepOnly(accepted, tools);
  const speakers = filter.speakers === null ? null : new Set([...filter.speakers].map(speakerCode));
  const { times, speakers: said } = view.columns;
  for (let document = 0; document < accepted.length; document++) {
    const time = times[document] ?? 0;
    const isWanted =
      time >= filter.since && time < filter.before && speakers?.has(said[document] ?? 0) !== false;
    if (!isWanted) accepted[document] = 0;
  }
  return accepted;
}

function keepOnly(accepted: Uint8Array, lists: readonly TermPostings[]): void {
  const named = new Uint8Array(accepted.length);
  for (const { postings } of lists)
    visitPostings(postings, (document) => {
      named[document] = 1;
    });
  for (let document = 0; document < accepted.length; document++)
    accepted[document] = (accepted[document] ?? 0) & (named[document] ?? 0);
}
