/**
 * The search index as of one moment, complete: stored segments, and a temporary one with everything that they do not
 * contain yet. A segment never changes, but others may merge it away at any time; a reader that finds one missing
 * starts again.
 */
import type { Page } from "../../search/index/pages.ts";
import { countDocuments } from "../../search/index/segment-indexer.ts";
import type { DocumentRun, SearchPage, SearchSegment, TermRange } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { compareBytes } from "../../text/bytes.ts";
import { type MessageIndexer, type MessageSegmentMaker, readBatch } from "./index/message-indexer.ts";
import type { ScopeStatistics } from "./rank.ts";
import { type Found, postingsIn, SegmentReader, SegmentView } from "./segment-reader.ts";

/** More documents than this are indexed permanently before a search, if the store is writable. */
const PASSING_DOCUMENTS = 64;
/** Most temporary segments: beyond this, they are rebuilt as one. */
const MOST_PASSING = 8;
/** A read-only store may have any number of unindexed runs. */
const EVERYTHING = { limit: 1_000_000 };

interface PassingSegment extends SearchSegment {
  readonly pages: readonly Page[];
  readonly view: SegmentView;
}

export class CurrentIndex {
  readonly #store: ScopedStore;
  readonly #maker: MessageSegmentMaker;
  readonly #indexer: MessageIndexer;
  readonly #reader: SegmentReader;
  #passing: { readonly runs: readonly DocumentRun[]; readonly segments: readonly PassingSegment[] } = {
    runs: [],
    segments: [],
  };

  constructor(store: ScopedStore, maker: MessageSegmentMaker, indexer: MessageIndexer) {
    this.#store = store;
    this.#maker = maker;
    this.#indexer = indexer;
    this.#reader = new SegmentReader(store);
  }

  /** `ranges` is needed from every segment, so it is read with the index. */
  async open(signal?: AbortSignal, ranges: readonly TermRange[] = []): Promise<IndexSnapshot> {
    const query = { ...EVERYTHING, ranges };
    let { segments, unindexed, pages } = await this.#store.searchIndex(query);
    if (countDocuments(unindexed) >= PASSING_DOCUMENTS) {
      await this.#indexer.catchUpIfWritable({
        atLeast: PASSING_DOCUMENTS,
        ...(signal === undefined ? {} : { signal }),
      });
      ({ segments, unindexed, pages } = await this.#store.searchIndex(query));
    }
    const passing = await this.#openPassing(unindexed);
    return new IndexSnapshot(this.#reader, segments, passing, pages && { ranges, pages });
  }

  /** Reused while documents are only added: the content of existing ones is unchanged. */
  async #openPassing(runs: readonly DocumentRun[]): Promise<readonly PassingSegment[]> {
    const known = this.#passing;
    const added = addedRuns(runs, known.runs);
    if (added?.length === 0) return known.segments;
    const segments =
      added === null || known.segments.length >= MOST_PASSING
        ? await this.#build(runs)
        : await this.#build(added, known.segments);
    this.#passing = { runs, segments };
    return segments;
  }

  async #build(
    runs: readonly DocumentRun[],
    known: readonly PassingSegment[] = [],
  ): Promise<readonly PassingSegment[]> {
    const segments = [...known];
    let left = runs;
    while (left.length > 0) {
      const batch = await readBatch(this.#store, left);
      const { columns, ...built } = await this.#maker.build(batch.documents);
      const view = new SegmentView(built.documents, columns, batch.runs);
      segments.push({ ...built, id: -1 - segments.length, view });
      left = behind(left, batch.runs);
    }
    return segments;
  }
}

/** The runs added since the earlier ones were read. Null if some of those no longer exist. */
function addedRuns(
  runs: readonly DocumentRun[],
  known: readonly DocumentRun[],
): readonly DocumentRun[] | null {
  const left = new Map(known.map((run) => [startOf(run), run.last]));
  const added = runs.flatMap((run) => {
    const last = left.get(startOf(run));
    if (last === undefined) return [run];
    if (last <= run.last) left.delete(startOf(run));
    return last < run.last ? [{ ...run, first: last + 1 }] : [];
  });
  return left.size === 0 ? added : null;
}

function startOf({ conversation, kind, first }: DocumentRun): string {
  return `${conversation} ${kind} ${first}`;
}

/** The rest of the runs after the first of them were taken. */
function behind(runs: readonly DocumentRun[], taken: readonly DocumentRun[]): readonly DocumentRun[] {
  const last = taken.at(-1);
  const cut = runs[taken.length - 1];
  const rest = runs.slice(taken.length);
  if (last === undefined || cut === undefined) return [];
  return last.last < cut.last ? [{ ...cut, first: last.last + 1 }, ...rest] : rest;
}

/** The pages read together with the index. */
interface ReadPages {
  readonly ranges: readonly TermRange[];
  readonly pages: readonly SearchPage[];
}

export class IndexSnapshot {
  readonly segments: readonly SearchSegment[];
  readonly #reader: SegmentReader;
  readonly #passing: ReadonlyMap<number, PassingSegment>;
  readonly #read: ReadPages | undefined;

  constructor(
    reader: SegmentReader,
    stored: readonly SearchSegment[],
    passing: readonly PassingSegment[],
    read?: ReadPages,
  ) {
    this.#reader = reader;
    this.#read = read;
    this.#passing = new Map(passing.map((segment) => [segment.id, segment]));
    this.segments = [...stored, ...passing];
  }

  get statistics(): ScopeStatistics {
    const documents = this.segments.reduce((sum, segment) => sum + segment.documents, 0);
    const words = this.segments.reduce((sum, segment) => sum + segment.words, 0);
    return { documents, meanWords: documents === 0 ? 0 : words / documents };
  }

  /** Undefined if one of the segments no longer exists. */
  async views(ids: readonly number[]): Promise<ReadonlyMap<number, SegmentView> | undefined> {
    const stored = await this.#reader.views(ids.filter(isStored));
    if (stored === undefined) return undefined;
    const views = new Map(stored);
    for (const id of ids) {
      const view = this.#passing.get(id)?.view;
      if (view !== undefined) views.set(id, view);
    }
    return views;
  }

  /** Undefined if one of the segments no longer exists. */
  async postings(
    ids: readonly number[],
    ranges: readonly TermRange[],
  ): Promise<ReadonlyMap<number, Found> | undefined> {
    const stored = await this.#reader.postings(ids.filter(isStored), ranges, this.#pagesFor(ranges));
    if (stored === undefined) return undefined;
    const found = new Map(stored);
    for (const id of ids) {
      const pages = this.#passing.get(id)?.pages;
      if (pages !== undefined) found.set(id, postingsIn(pages, ranges));
    }
    return found;
  }

  /** Undefined if they must be read. */
  #pagesFor(ranges: readonly TermRange[]): readonly SearchPage[] | undefined {
    return this.#read !== undefined && areSame(ranges, this.#read.ranges) ? this.#read.pages : undefined;
  }
}

function areSame(some: readonly TermRange[], others: readonly TermRange[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ from, to }, i) => {
      const other = others[i] ?? { from: to, to: from };
      return compareBytes(from, other.from) === 0 && compareBytes(to, other.to) === 0;
    })
  );
}

function isStored(id: number): boolean {
  return id > 0;
}
