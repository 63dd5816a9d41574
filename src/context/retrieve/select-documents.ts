/** What the index alone can say: which documents of each segment come into question, and how well they match. */
import type { TermRange } from "../../store/search-store.ts";
import type { IndexSnapshot } from "./current-index.ts";
import { acceptedDocuments, type DocumentFilter, filterRanges, isFiltering } from "./filter.ts";
import { neededDocuments, neededRanges } from "./needed-documents.ts";
import { type QueryTerm, rangesOf } from "./parse-query.ts";
import type { Needs } from "./pattern.ts";
import { Scorer, type SegmentScores, type TermLists, type Weights, weightsOf } from "./rank.ts";
import type { Found, SegmentView } from "./segment-reader.ts";

/** What is asked of the index. */
export type Selection =
  | { readonly type: "words"; readonly terms: readonly QueryTerm[]; readonly isRanked: boolean }
  | { readonly type: "needs"; readonly needs: Needs }
  | { readonly type: "all" };

export interface SelectedSegment {
  readonly view: SegmentView;
  readonly latest: number;
  /** The documents, ascending. */
  readonly documents: Int32Array;
  /** Null where nothing is ranked. */
  readonly scores: SegmentScores | null;
}

export interface SelectedDocuments {
  readonly segments: readonly SelectedSegment[];
  /** How many documents pass the filter, whatever they say. */
  readonly searched: number;
}

/** Undefined when the index was changed while it was read. */
export async function selectDocuments(
  snapshot: IndexSnapshot,
  selection: Selection,
  filter: DocumentFilter,
): Promise<SelectedDocuments | undefined> {
  const ofFilter = filterRanges(filter);
  const ids = await segmentsToRead(snapshot, selection, filter);
  if (ids === undefined) return undefined;
  const found = await snapshot.postings(ids, [...ofFilter, ...selectionRanges(selection)]);
  if (found === undefined) return undefined;
  const hasFilter = isFiltering(filter);
  const mayMatch = (id: number) => selection.type === "all" || hasAny(found.get(id)?.slice(ofFilter.length));
  const views = await snapshot.views(ids.filter((id) => hasFilter || mayMatch(id)));
  if (views === undefined) return undefined;
  const select = selector(snapshot, selection, found, ofFilter.length);
  let searched = 0;
  const segments = snapshot.segments.flatMap(({ id, latest }) => {
    const view = views.get(id);
    if (view === undefined) return [];
    const lists = found.get(id) ?? [];
    const accepted = hasFilter ? acceptedDocuments(view, filter, lists[0] ?? []) : null;
    if (accepted !== null) searched += countOf(accepted);
    if (!mayMatch(id)) return [];
    const { matching, scores } = select(view, lists.slice(ofFilter.length));
    const documents = documentsIn(view.documents, accepted, matching);
    return documents.length === 0 ? [] : [{ view, latest, documents, scores }];
  });
  return { segments, searched: hasFilter ? searched : snapshot.statistics.documents };
}

/** How much a word weighs depends on the whole scope; for anything else, only what is searched is read. */
async function segmentsToRead(
  snapshot: IndexSnapshot,
  selection: Selection,
  { conversations, since, before }: DocumentFilter,
): Promise<readonly number[] | undefined> {
  const ids = snapshot.segments.map(({ id }) => id);
  if (selection.type === "words" && selection.isRanked) return ids;
  const inTime = new Set(
    snapshot.segments
      .filter(({ earliest, latest }) => latest >= since && earliest < before)
      .map(({ id }) => id),
  );
  if (conversations === null) return ids.filter((id) => inTime.has(id));
  const views = await snapshot.views(ids);
  return (
    views &&
    ids.filter(
      (id) =>
        inTime.has(id) && views.get(id)?.runs.some(({ conversation }) => conversations.has(conversation)),
    )
  );
}

function countOf(accepted: Uint8Array): number {
  return accepted.reduce((sum, one) => sum + one, 0);
}

function selectionRanges(selection: Selection): readonly TermRange[] {
  switch (selection.type) {
    case "words":
      return selection.terms.flatMap(rangesOf);
    case "needs":
      return neededRanges(selection.needs);
    case "all":
      return [];
  }
}

function hasAny(lists: Found | undefined): boolean {
  return lists?.some((list) => list.length > 0) ?? false;
}

/** Whether a document comes into question. */
type Matching = (document: number) => boolean;
type Select = (
  view: SegmentView,
  lists: Found,
) => { readonly matching: Matching; readonly scores: SegmentScores | null };

function selector(
  snapshot: IndexSnapshot,
  selection: Selection,
  found: ReadonlyMap<number, Found>,
  skipped: number,
): Select {
  switch (selection.type) {
    case "all":
      return () => ({ matching: () => true, scores: null });
    case "needs":
      return (view, lists) => {
        const needed = neededDocuments(selection.needs, lists, view.documents);
        return { matching: (document) => needed[document] === 1, scores: null };
      };
    case "words": {
      const { terms } = selection;
      const all = [...found.values()].map((lists) => listsByTerm(terms, lists.slice(skipped)));
      const weights: Weights = weightsOf(
        terms,
        (term) => all.map((lists) => lists[term] ?? []),
        snapshot.statistics,
      );
      const scorer = new Scorer(terms, weights, snapshot.statistics);
      return (view, lists) => {
        const scores = scorer.score(view, listsByTerm(terms, lists));
        return { matching: (document) => mayMatch(scores, document), scores };
      };
    }
  }
}

function listsByTerm(terms: readonly QueryTerm[], lists: Found): readonly TermLists[] {
  let position = 0;
  return terms.map((term) => {
    const count = rangesOf(term).length;
    position += count;
    return lists.slice(position - count, position);
  });
}

function mayMatch({ certain, phrases }: SegmentScores, document: number): boolean {
  return (certain[document] ?? 0) > 0 || phrases.some((scores) => (scores[document] ?? 0) > 0);
}

/** `accepted`: null when nothing is left out. */
function documentsIn(count: number, accepted: Uint8Array | null, matching: Matching): Int32Array {
  const documents = new Int32Array(count);
  let found = 0;
  for (let document = 0; document < count; document++)
    if ((accepted === null || accepted[document] === 1) && matching(document)) documents[found++] = document;
  return documents.subarray(0, found);
}
