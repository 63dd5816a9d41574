/**
 * Candidates by time. The index is read only as far as they are consumed: first the segments with the newest
 * documents, then more of them. If the index changes meanwhile, it continues from its position.
 */
import { PalimpsestError } from "../../errors.ts";
import { behind, type Candidate, type Position, TimeOrder } from "./candidates.ts";
import type { CurrentIndex, IndexSnapshot } from "./current-index.ts";
import type { SearchQuery } from "./search.ts";
import { type Selection, selectDocuments } from "./select-documents.ts";
import { stopIfCancelled } from "./stop-if-cancelled.ts";
import type { CandidateGroups } from "./texts.ts";

/** How often reading is repeated when the index changes. */
export const TRIES = 8;
/** Segments read at first; doubled each time. */
const FIRST_SEGMENTS = 4;

export async function readAsWanted(
  index: CurrentIndex,
  selection: Selection,
  query: SearchQuery,
  after: Position | null,
): Promise<{ readonly groups: CandidateGroups; readonly searched: number }> {
  const snapshot = await index.open(query.signal);
  return {
    groups: groupsOf(index, snapshot, selection, query, after),
    searched: snapshot.statistics.documents,
  };
}

async function* groupsOf(
  index: CurrentIndex,
  first: IndexSnapshot,
  selection: Selection,
  query: SearchQuery,
  after: Position | null,
): AsyncGenerator<Iterable<Candidate>> {
  let last = after;
  function* taken(candidates: Iterable<Candidate>): Generator<Candidate> {
    for (const candidate of behind(candidates, last)) {
      last = candidate;
      yield candidate;
    }
  }
  for (let tries = 1, snapshot = first; tries <= TRIES; tries++, snapshot = await index.open(query.signal)) {
    let isWhole = true;
    for await (const group of newestSegmentsFirst(snapshot, selection, query)) {
      stopIfCancelled(query.signal);
      isWhole = group !== undefined;
      if (group !== undefined) yield taken(group);
    }
    if (isWhole) return;
  }
  throw alwaysChanging();
}

/** Ends with undefined if one of the segments no longer exists. */
async function* newestSegmentsFirst(
  snapshot: IndexSnapshot,
  selection: Selection,
  { filter }: SearchQuery,
): AsyncGenerator<Iterable<Candidate> | undefined> {
  const sorted = snapshot.segments.toSorted((a, b) => b.latest - a.latest);
  const candidates = new TimeOrder();
  for (let start = 0, size = FIRST_SEGMENTS; start < sorted.length; start += size, size *= 2) {
    const group = sorted.slice(start, start + size);
    const selected = await selectDocuments(snapshot, selection, filter, group);
    if (selected === undefined) {
      yield undefined;
      return;
    }
    for (const segment of selected.segments) candidates.add(segment);
    yield candidates.newerThan(sorted[start + size]?.latest ?? Number.NEGATIVE_INFINITY);
  }
}

export function alwaysChanging(): PalimpsestError {
  return new PalimpsestError("busy", "the search index kept changing", {
    advice: "Try again.",
  });
}
