/**
 * Finds messages and summaries by words, ranked, or by a pattern, completely. Documents that are not indexed
 * yet are indexed on the way, so that a result never depends on the progress of the index.
 */
import { PalimpsestError } from "../../errors.ts";
import type { StoredDocument } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { behind, newestFirst, type Position } from "./candidates.ts";
import type { Pattern } from "./compile-pattern.ts";
import type { CurrentIndex } from "./current-index.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import { type DocumentFilter, isFiltering } from "./filter.ts";
import type { Matches } from "./matches.ts";
import {
  askForMeaning,
  JOINED,
  joinRankings,
  meantMessages,
  type RankByMeaning,
} from "./meaning/host-ranking.ts";
import type { HybridSearch, MeaningFacts } from "./meaning/hybrid-search.ts";
import { nearTools } from "./near-tools.ts";
import type { QueryTerm } from "./parse-query.ts";
import { pageOf, rankCursor, startBehind } from "./rank-pages.ts";
import { hasPhrases, rankByWords } from "./rank-words.ts";
import { alwaysChanging, readAsWanted, TRIES } from "./read-as-wanted.ts";
import {
  rangesOfEvery,
  type SelectedDocuments,
  type SelectedSegment,
  type Selection,
  selectDocuments,
} from "./select-documents.ts";
import { stopIfCancelled } from "./stop-if-cancelled.ts";
import { type CandidateGroups, inOneGroup, Texts } from "./texts.ts";

export type Matcher =
  | { readonly type: "words"; readonly terms: readonly QueryTerm[] }
  | { readonly type: "pattern"; readonly pattern: Pattern }
  /** Everything that passes the filter. */
  | { readonly type: "any" };

export interface SearchQuery {
  readonly matcher: Matcher;
  readonly filter: DocumentFilter;
  /** If given, the query is also ranked semantically. Only with words, by relevance. */
  readonly meaning?: string;
  /** Only words can be ranked. */
  readonly order: "relevance" | "time";
  readonly limit: number;
  /** Called with each hit: the result ends before a hit for which it returns false. */
  readonly hasRoom?: (hit: SearchHit) => boolean;
  readonly cursor: string | null;
  /** Digest of the whole request as given: a cursor is valid only for the same digest. */
  readonly digest: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with each hit as soon as it is found, if hits are ordered by time. */
  readonly onHit?: (hit: SearchHit) => void;
  readonly onOpened?: (texts: number) => void;
}

export interface SearchHit {
  readonly document: StoredDocument;
  /** The tools that it calls or answers. */
  readonly tools: readonly string[];
  readonly time: number;
  /** Null if nothing is ranked. */
  readonly score: number | null;
  readonly matches: Matches;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Where to continue; null if nothing is left. */
  readonly next: string | null;
  /** Number of all matches; null if it is unknown before the end. */
  readonly total: number | null;
  /** Documents in the index, and those whose text was read. */
  readonly searched: number;
  readonly opened: number;
  /** Given if the engine's own embeddings were used. */
  readonly meaning?: MeaningFacts;
}

/** The semantic ranking: a host's function, or the engine itself; null if there is none. */
type Meaning = RankByMeaning | HybridSearch | null;

export class Searcher {
  readonly #store: ScopedStore;
  readonly #index: CurrentIndex;
  readonly #meaning: Meaning;

  constructor(store: ScopedStore, index: CurrentIndex, meaning: Meaning) {
    this.#store = store;
    this.#index = index;
    this.#meaning = meaning;
  }

  search(query: SearchQuery): Promise<SearchAnswer> {
    const cursor = query.cursor === null ? null : readCursor(query.cursor, query.order, query.digest);
    if (query.meaning !== undefined) return this.#byMeaning(query, query.meaning, cursor);
    return query.order === "relevance" ? this.#best(query, cursor) : this.#newest(query, cursor);
  }

  /** Suggestions if nothing was found with the named tool. */
  async nearTools({ filter, signal }: SearchQuery): Promise<readonly string[]> {
    return nearTools(await this.#index.open(signal), filter);
  }

  /** Reads the index, and repeats this if it changed meanwhile. */
  async #select(query: SearchQuery): Promise<SelectedDocuments> {
    for (let tries = 1; tries <= TRIES; tries++) {
      stopIfCancelled(query.signal);
      const selection = selectionOf(query);
      const snapshot = await this.#index.open(query.signal, rangesOfEvery(selection, query.filter));
      const selected = await selectDocuments(snapshot, selection, query.filter);
      if (selected !== undefined) return selected;
    }
    throw alwaysChanging();
  }

  async #newest(query: SearchQuery, cursor: Cursor | null): Promise<SearchAnswer> {
    const after = cursor !== null && "after" in cursor ? cursor.after : null;
    const { groups, ...counts } = await this.#byTime(query, after);
    const texts = new Texts(this.#store, query);
    const hits: SearchHit[] = [];
    for await (const found of texts.hitsAmong(groups, isCertain(query.matcher)))
      for (const hit of found) {
        if (hits.length === query.limit || query.hasRoom?.(hit) === false)
          return { hits, next: cursorBehind(hits, query.digest), ...counts, opened: texts.opened };
        hits.push(hit);
        query.onHit?.(hit);
      }
    return { hits, next: null, ...counts, opened: texts.opened };
  }

  /** The number of matches of a pattern is unknown before the end, so the index is read only as far as hits are wanted. */
  async #byTime(
    query: SearchQuery,
    after: Position | null,
  ): Promise<{ readonly groups: CandidateGroups } & Pick<SearchAnswer, "total" | "searched">> {
    if (query.matcher.type === "pattern" && !isFiltering(query.filter))
      return { ...(await readAsWanted(this.#index, selectionOf(query), query, after)), total: null };
    const { segments, searched } = await this.#select(query);
    return {
      groups: inOneGroup(behind(newestFirst(segments), after)),
      ...countOf(query, segments),
      searched,
    };
  }

  async #best(query: SearchQuery, cursor: Cursor | null): Promise<SearchAnswer> {
    const { segments, searched } = await this.#select(query);
    const texts = new Texts(this.#store, query);
    const last = rankCursor(cursor);
    const wanted = (last?.rank ?? 0) + query.limit + 1;
    let ranked = await rankByWords(query, segments, texts, wanted);
    let start = startBehind(ranked, last);
    if (ranked.length >= wanted && ranked.length - start <= query.limit) {
      // The last hit shown has moved down, so fewer hits follow it among this many.
      ranked = await rankByWords(query, segments, texts, Number.POSITIVE_INFINITY);
      start = startBehind(ranked, last);
    }
    const page = await pageOf(query, texts, ranked, start);
    return { ...page, ...countOf(query, segments), searched, opened: texts.opened };
  }

  async #byMeaning(query: SearchQuery, meaning: string, cursor: Cursor | null): Promise<SearchAnswer> {
    const { matcher } = query;
    if (this.#meaning === null || matcher.type !== "words") throw noMeaning();
    if (typeof this.#meaning === "function") return this.#joined(query, meaning, this.#meaning, cursor);
    return this.#meaning.search({ ...query, matcher, meaning }, cursor);
  }

  /** By words and by a host's ranking. The total is limited to the hits of both. */
  async #joined(
    query: SearchQuery,
    meaning: string,
    rankByMeaning: RankByMeaning,
    cursor: Cursor | null,
  ): Promise<SearchAnswer> {
    const { conversations } = query.filter;
    const [{ segments, searched }, ids] = await Promise.all([
      this.#select(query),
      askForMeaning(rankByMeaning, {
        text: meaning,
        conversations: conversations === null ? null : [...conversations],
        limit: JOINED,
        ...(query.signal === undefined ? {} : { signal: query.signal }),
      }),
    ]);
    const texts = new Texts(this.#store, query);
    const byWords = (await rankByWords(query, segments, texts, JOINED)).slice(0, JOINED);
    const ranked = joinRankings([byWords, await meantMessages(this.#store, ids, query.filter)]);
    const start = startBehind(ranked, rankCursor(cursor));
    const page = await pageOf(query, texts, ranked, start);
    return { ...page, total: null, searched, opened: texts.opened };
  }
}

function noMeaning(): PalimpsestError {
  return new PalimpsestError("invalid-input", "semantic search is off", {
    advice:
      "To search by words, omit `mode`. To enable semantic search, run: lcm config set searchByMeaning true, then: lcm embed. embeddingModel must not be off.",
  });
}

function selectionOf({ matcher, order }: SearchQuery): Selection {
  if (matcher.type === "words") return { ...matcher, isRanked: order === "relevance" };
  const needs = matcher.type === "pattern" ? matcher.pattern.needs : null;
  return needs === null ? { type: "all" } : { type: "needs", needs };
}

/** Without phrases and patterns, the index alone is sufficient. */
function isCertain(matcher: Matcher): boolean {
  return matcher.type !== "pattern" && !hasPhrases(matcher);
}

function countOf(
  { matcher }: SearchQuery,
  segments: readonly SelectedSegment[],
): Pick<SearchAnswer, "total"> {
  if (!isCertain(matcher)) return { total: null };
  return { total: segments.reduce((sum, { count }) => sum + count, 0) };
}

function cursorBehind(hits: readonly SearchHit[], digest: string): string | null {
  const last = hits.at(-1);
  if (last === undefined) return null;
  return writeCursor({ after: { time: last.time, ref: last.document.ref } }, digest);
}
