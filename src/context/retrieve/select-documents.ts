/** Selects documents with the index alone: the candidates of each segment, and their scores. */
import type { SearchSegment, TermRange } from "../../store/search-store.ts";
import type { Needs } from "./compile-pattern.ts";
import type { IndexSnapshot } from "./current-index.ts";
import { acceptedDocuments, countOf, type DocumentFilter, filterRanges, isFiltering } from "./filter.ts";
import { neededDocuments, neededRanges } from "./needed-documents.ts";
import { type QueryTerm, rangesOf } from "./parse-query.ts";
import { Scorer, type SegmentScores, type TermLists, type Weights, weightsOf } from "./rank.ts";
import type { Found, SegmentView } from "./segment-reader.ts";
import { documentsWithAny } from "./words-present.ts";

/** The query to the index. */
export type Selection =
  | { readonly type: "words"; readonly terms: readonly QueryTerm[]; readonly isRanked: boolean }
  | { readonly type: "needs"; readonly needs: Needs }
  | { readonly type: "all" };

export interface SelectedSegment {
  readonly view: SegmentView;
  readonly latest: number;
  /** Number of selected documents; at least one. */
  readonly count: number;
  /** The documents, ascending. Computed on demand: by time, few segments are needed. */
  documents(): Int32Array;
  /** Null if nothing is ranked. */
  readonly scores: SegmentScores | null;
}

export interface SelectedDocuments {
  readonly segments: readonly SelectedSegment[];
  /** Number of documents that pass the filter, whether they match or not. */
  readonly searched: number;
  /** Weights of the ranked words; empty otherwise. */
  readonly weights: Weights;
}

/** Undefined if the index changed during the read. */
export async function selectDocuments(
  snapshot: IndexSnapshot,
  selection: Selection,
  filter: DocumentFilter,
  among: readonly SearchSegment[] = snapshot.segments,
): Promise<SelectedDocuments | undefined> {
  const ofFilter = filterRanges(filter);
  const ranges = [...ofFilter, ...selectionRanges(selection)];
  const ids = await segmentsToRead(snapshot, among, selection, filter);
  if (ids === undefined) return undefined;
  const found = await snapshot.postings(ids, ranges);
  if (found === undefined) return undefined;
  const hasFilter = isFiltering(filter);
  const mayMatch = (id: number) => selection.type === "all" || hasAny(found.get(id)?.slice(ofFilter.length));
  const views = await snapshot.views(ids.filter((id) => hasFilter || mayMatch(id)));
  if (views === undefined) return undefined;
  const weights = weightsIn(snapshot, selection, found, ofFilter.length);
  const select = selector(snapshot, selection, weights);
  let searched = 0;
  const segments = among.flatMap(({ id, latest }) => {
    const view = views.get(id);
    if (view === undefined) return [];
    const lists = found.get(id) ?? [];
    const accepted = hasFilter ? acceptedDocuments(view, filter, lists[0] ?? []) : null;
    searched += accepted?.count ?? 0;
    if (!mayMatch(id) || accepted?.count === 0) return [];
    const said = select(view, lists.slice(ofFilter.length));
    const chosen = chosenOf(said, accepted?.has ?? null, view.documents);
    return chosen.count === 0 ? [] : [{ view, latest, scores: said.scores, ...chosen }];
  });
  return { segments, searched: hasFilter ? searched : snapshot.statistics.documents, weights };
}

/** The weight of a word depends on the whole scope; anything else needs only the searched part. */
async function segmentsToRead(
  snapshot: IndexSnapshot,
  among: readonly SearchSegment[],
  selection: Selection,
  { conversations, since, before }: DocumentFilter,
): Promise<readonly number[] | undefined> {
  const ids = among.map(({ id }) => id);
  if (selection.type === "words" && selection.isRanked) return ids;
  const inTime = new Set(
    among.filter(({ earliest, latest }) => latest >= since && earliest < before).map(({ id }) => id),
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

/** The ranges needed from every segment, to be read together with the index. */
export function rangesOfEvery(selection: Selection, filter: DocumentFilter): readonly TermRange[] {
  if (selection.type !== "words" || !selection.isRanked) return [];
  return [...filterRanges(filter), ...selectionRanges(selection)];
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

/** The result for a segment: scores of its documents, or which of them are candidates. */
type Said =
  | { readonly scores: SegmentScores }
  | {
      readonly scores: null;
      /** By document, 1 for a candidate. Null: all of them. */
      readonly present: Uint8Array | null;
      /** Number of candidates, if counted. */
      readonly count?: number;
    };
type Select = (view: SegmentView, lists: Found) => Said;

function selector(snapshot: IndexSnapshot, selection: Selection, weights: Weights): Select {
  switch (selection.type) {
    case "all":
      return () => ({ present: null, scores: null });
    case "needs":
      return ({ documents }, lists) => ({
        present: neededDocuments(selection.needs, lists, documents),
        scores: null,
      });
    case "words":
      return selection.isRanked
        ? ranker(snapshot, selection.terms, weights)
        : ({ documents }, lists) => ({
            ...documentsWithAny(selection.terms, listsByTerm(selection.terms, lists), documents),
            scores: null,
          });
  }
}

function weightsIn(
  snapshot: IndexSnapshot,
  selection: Selection,
  found: ReadonlyMap<number, Found>,
  skipped: number,
): Weights {
  if (selection.type !== "words" || !selection.isRanked) return [];
  const { terms } = selection;
  const all = [...found.values()].map((lists) => listsByTerm(terms, lists.slice(skipped)));
  return weightsOf(terms, (term) => all.map((lists) => lists[term] ?? []), snapshot.statistics);
}

function ranker(snapshot: IndexSnapshot, terms: readonly QueryTerm[], weights: Weights): Select {
  const scorer = new Scorer(terms, weights, snapshot.statistics);
  return (view, lists) => ({ scores: scorer.score(view, listsByTerm(terms, lists)) });
}

function listsByTerm(terms: readonly QueryTerm[], lists: Found): readonly TermLists[] {
  let position = 0;
  return terms.map((term) => {
    const count = rangesOf(term).length;
    position += count;
    return lists.slice(position - count, position);
  });
}

/** The candidates that also pass the filter; null: all of them. */
function chosenOf(
  said: Said,
  accepted: Uint8Array | null,
  documents: number,
): Pick<SelectedSegment, "count" | "documents"> {
  if (said.scores !== null) {
    const scored = said.scores.documents;
    const passing = accepted === null ? scored : scored.filter((document) => accepted[document] === 1);
    return { count: passing.length, documents: () => passing };
  }
  const marks = both(said.present, accepted) ?? new Uint8Array(documents).fill(1);
  const count = accepted === null && said.count !== undefined ? said.count : countOf(marks);
  return { count, documents: () => placesOf(marks, count) };
}

/** Null: all. */
function both(present: Uint8Array | null, accepted: Uint8Array | null): Uint8Array | null {
  if (present === null || accepted === null) return present ?? accepted;
  for (let document = 0; document < present.length; document++)
    present[document] = (present[document] ?? 0) & (accepted[document] ?? 0);
  return present;
}

function placesOf(chosen: Uint8Array, count: number): Int32Array {
  const places = new Int32Array(count);
  for (let document = 0, place = 0; place < count; document++)
    if (chosen[document] === 1) places[place++] = document;
  return places;
}
