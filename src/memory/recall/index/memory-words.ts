/**
 * Finds memories by their words, for any database. The index is held in memory while it is used: stored segments are
 * read once, and unindexed memories are indexed during the search, so that every search sees every memory that was
 * committed before it began. The caller that loads the memories checks their states.
 */

import { PalimpsestError } from "../../../errors.ts";
import { countDocuments } from "../../../search/index/segment-indexer.ts";
import type { MemoryIndex, MemoryRun } from "../../../store/memory-store.ts";
import { compareScopes } from "./choose-merge.ts";
import type { IndexStore } from "./index-store.ts";
import type { MemoryIndexer, MemorySegmentMaker } from "./memory-indexer.ts";
import { OpenSegments } from "./open-segments.ts";
import { PassingSegments } from "./passing-segments.ts";
import { SegmentScorer } from "./segment-scorer.ts";
import type { WordQuery } from "./word-query.ts";
import { type PlacedSegment, searchWords, type WordHits, type WordSearchOptions } from "./word-search.ts";

/** More memories than this are indexed persistently before a search, if the store is writable. */
const PASSING_MEMORIES = 1_024;
const TRIES = 5;

interface MemoryWordsParts {
  readonly store: IndexStore;
  readonly maker: MemorySegmentMaker;
  /** Null: a search never writes. */
  readonly indexer: MemoryIndexer | null;
}

export class MemoryWords {
  readonly #store: IndexStore;
  readonly #indexer: MemoryIndexer | null;
  readonly #stored: OpenSegments;
  readonly #passing: PassingSegments;
  readonly #scorer = new SegmentScorer();
  #opening: Promise<unknown> = Promise.resolve();

  constructor({ store, maker, indexer }: MemoryWordsParts) {
    this.#store = store;
    this.#indexer = indexer;
    this.#stored = new OpenSegments(store);
    this.#passing = new PassingSegments(store, maker);
  }

  async search(query: WordQuery, options: WordSearchOptions): Promise<WordHits> {
    return searchWords(await this.#open(), this.#scorer, query, options);
  }

  /** Drops the cached index; the next search reads it again. Used after an erasure. */
  forget(): void {
    this.#stored.forget();
    this.#passing.forget();
  }

  /** Serialised, so that only the first of several searches at the start reads the segments. */
  #open(): Promise<readonly PlacedSegment[]> {
    const opened = this.#opening.then(() => this.#openNow());
    this.#opening = opened.catch(() => {});
    return opened;
  }

  async #openNow(): Promise<readonly PlacedSegment[]> {
    for (let tries = 1; tries <= TRIES; tries++) {
      const index = await this.#caughtUp(await this.#store.memoryIndex());
      const segments = await this.#openIndex(index);
      if (segments !== undefined) return inOrder(segments);
    }
    throw new PalimpsestError("busy", "the word index of memories kept changing");
  }

  /** Undefined if it changed meanwhile. */
  async #openIndex(index: MemoryIndex): Promise<readonly PlacedSegment[] | undefined> {
    const views = await this.#stored.open(index.segments);
    if (views === undefined) return undefined;
    const stored: PlacedSegment[] = [];
    const unreadable: MemoryRun[] = [];
    for (const { id, scope, first, last } of index.segments) {
      const view = views.get(id);
      if (view == null) unreadable.push({ scope, first, last });
      else stored.push({ scope, first, last, view });
    }
    return [...stored, ...(await this.#passing.open([...index.unindexed, ...unreadable]))];
  }

  async #caughtUp(index: MemoryIndex): Promise<MemoryIndex> {
    if (this.#indexer === null || countDocuments(index.unindexed) < PASSING_MEMORIES) return index;
    await this.#indexer.catchUpIfWritable({ atLeast: PASSING_MEMORIES });
    return this.#store.memoryIndex();
  }
}

function inOrder(segments: readonly PlacedSegment[]): readonly PlacedSegment[] {
  return segments.toSorted((a, b) => compareScopes(a.scope, b.scope) || a.first - b.first);
}
