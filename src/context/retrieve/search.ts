/**
 * Finds messages and summaries by their words, ranked, or by a pattern, complete. The index says where to look; what
 * it does not hold yet is indexed on the way, so that an answer never depends on how far the index has come.
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
  /** Given: what was asked for, to be ranked by its meaning as well. Only with words, by relevance. */
  readonly meaning?: string;
  /** Only words can be ranked. */
  readonly order: "relevance" | "time";
  readonly limit: number;
  /** Asked with each hit in turn: the answer ends before one for which it says no. */
  readonly hasRoom?: (hit: SearchHit) => boolean;
  readonly cursor: string | null;
  /** Of everything that was asked for, as it was given: a cursor goes on only where this is the same. */
  readonly digest: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with each hit as soon as it is found, where hits come by time. */
  readonly onHit?: (hit: SearchHit) => void;
  readonly onOpened?: (texts: number) => void;
}

export interface SearchHit {
  readonly document: StoredDocument;
  /** That it calls or answers. */
  readonly tools: readonly string[];
  readonly time: number;
  /** Null where nothing is ranked. */
  readonly score: number | null;
  readonly matches: Matches;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Where to go on; null when nothing is left. */
  readonly next: string | null;
  /** How many match in all; null when that is not known before the end. */
  readonly total: number | null;
  /** Documents that the index holds, and those of them whose text was opened. */
  readonly searched: number;
  readonly opened: number;
  /** Where the engine's own vectors were asked. */
  readonly meaning?: MeaningFacts;
}

/** Who ranks by meaning: a host's function, or the engine itself; null where neither does. */
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

  /** The tools that may have been meant, where nothing was found with the one that was named. */
  async nearTools({ filter, signal }: SearchQuery): Promise<readonly string[]> {
    return nearTools(await this.#index.open(signal), filter);
  }

  /** Reads the index; again, when it was changed while it was read. */
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

  /** How many a pattern matches is not known before the end, so the index is read only as far as hits are wanted. */
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
      // What was shown last has moved down, so that less follows it among so many.
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

  /** By words and by a host's ranking. There are only as many as both have together. */
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
      "Search with the mode full_text. For semantic search, set searchByMeaning to true and embeddingModel to a model: see lcm config show",
  });
}

function selectionOf({ matcher, order }: SearchQuery): Selection {
  if (matcher.type === "words") return { ...matcher, isRanked: order === "relevance" };
  const needs = matcher.type === "pattern" ? matcher.pattern.needs : null;
  return needs === null ? { type: "all" } : { type: "needs", needs };
}

/** Without phrases and patterns, what the index says is certain. */
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
