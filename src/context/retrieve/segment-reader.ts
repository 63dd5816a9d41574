/**
 * Segments for a search, stored or temporary: the documents in them, and the documents in which
 * terms occur. A stored segment never changes, so facts about its documents are cached between searches.
 */
import { type Page, readTerms } from "../../search/index/pages.ts";
import type { TermPostings } from "../../search/index/term-entries.ts";
import type { DocumentRef, DocumentRun, SearchPage, TermRange } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { compareBytes } from "../../text/bytes.ts";
import { type DocumentColumns, unpackDocuments } from "./index/documents.ts";

/** The documents of a segment. */
export class SegmentView {
  readonly documents: number;
  readonly columns: DocumentColumns;
  readonly #runs: readonly (DocumentRun & { readonly start: number })[];

  constructor(documents: number, columns: Uint8Array, runs: readonly DocumentRun[]) {
    this.documents = documents;
    this.columns = unpackDocuments(columns, documents);
    let start = 0;
    this.#runs = runs.map((run) => {
      const placed = { ...run, start };
      start += run.last - run.first + 1;
      return placed;
    });
  }

  /** Runs of documents, with the first document of each. */
  get runs(): readonly (DocumentRun & { readonly start: number })[] {
    return this.#runs;
  }

  refOf(document: number): DocumentRef {
    const { conversation, kind, first, start } = this.#runOf(document);
    return { conversation, kind, number: first + document - start };
  }

  #runOf(document: number): DocumentRun & { readonly start: number } {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#runs[middle]?.start ?? 0) <= document) low = middle;
      else high = middle - 1;
    }
    const run = this.#runs[low];
    if (run === undefined) throw new Error("a segment of the search index contains no document");
    return run;
  }
}

/** For each range its postings, by segment. */
export type Found = readonly (readonly TermPostings[])[];

/** Documents whose facts are cached; about 13 bytes each. */
const MOST_KEPT = 4_000_000;

export class SegmentReader {
  readonly #store: ScopedStore;
  readonly #views = new Map<number, SegmentView>();
  #kept = 0;

  constructor(store: ScopedStore) {
    this.#store = store;
  }

  /** Undefined if one of the segments no longer exists. */
  async views(ids: readonly number[]): Promise<ReadonlyMap<number, SegmentView> | undefined> {
    const missing = ids.filter((id) => !this.#views.has(id));
    for (const { id, documents, columns, runs } of await this.#read(missing))
      this.#keep(id, new SegmentView(documents, columns, runs));
    const views = new Map<number, SegmentView>();
    for (const id of ids) {
      const view = this.#views.get(id);
      if (view === undefined) return undefined;
      views.set(id, view);
    }
    return views;
  }

  /** Undefined if one of the segments no longer exists. `read` contains the pages if they were read before. */
  async postings(
    ids: readonly number[],
    ranges: readonly TermRange[],
    read?: readonly SearchPage[],
  ): Promise<ReadonlyMap<number, Found> | undefined> {
    if (ids.length === 0 || ranges.length === 0) return new Map(ids.map((id) => [id, ranges.map(() => [])]));
    const pages = read ?? (await this.#store.searchPages(ids, ranges));
    if (pages === undefined) return undefined;
    const bySegment = Map.groupBy(pages, ({ segment }) => segment);
    return new Map(ids.map((id) => [id, postingsIn(inOrder(bySegment.get(id) ?? []), ranges)]));
  }

  async #read(ids: readonly number[]) {
    return ids.length === 0 ? [] : this.#store.segmentDocuments(ids);
  }

  /** Merged segments are never requested again, so the oldest are evicted. */
  #keep(id: number, view: SegmentView): void {
    this.#views.set(id, view);
    this.#kept += view.documents;
    for (const [oldest, { documents }] of this.#views) {
      if (this.#kept <= MOST_KEPT || oldest === id) break;
      this.#views.delete(oldest);
      this.#kept -= documents;
    }
  }
}

function inOrder(pages: readonly Page[]): readonly Page[] {
  return pages.toSorted((a, b) => compareBytes(a.firstTerm, b.firstTerm));
}

/** Pages of one segment, in the order of their terms. */
export function postingsIn(pages: readonly Page[], ranges: readonly TermRange[]): Found {
  const lastNotBehind = (term: Uint8Array) =>
    pages.findLastIndex(({ firstTerm }) => compareBytes(firstTerm, term) <= 0);
  return ranges.map(({ from, to }) =>
    pages
      .slice(Math.max(0, lastNotBehind(from)), lastNotBehind(to) + 1)
      .flatMap(({ page }) => [...readTerms(page, from, to)]),
  );
}
