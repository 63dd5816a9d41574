/**
 * Finds messages and summaries by their words, ranked, or by a pattern, complete. The index says where to look; what
 * it does not hold yet is indexed on the way, so that an answer never depends on how far the index has come.
 */
import { PalimpsestError } from "../../errors.ts";
import type { DocumentRef, StoredDocument } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import {
  behind,
  bestFirst,
  byTime,
  type Candidate,
  mostOf,
  newestFirst,
  type Position,
} from "./candidates.ts";
import type { CurrentIndex } from "./current-index.ts";
import { type Cursor, type RankCursor, readCursor, writeCursor } from "./cursor.ts";
import { type DocumentFilter, isFiltering } from "./filter.ts";
import type { Matches } from "./matches.ts";
import { askForMeaning, JOINED, joinRankings, meantMessages, type RankByMeaning } from "./meaning.ts";
import { nearTools } from "./near-tools.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { Pattern } from "./pattern.ts";
import { alwaysChanging, readAsWanted, TRIES } from "./read-as-wanted.ts";
import {
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
  readonly signal?: AbortSignal;
  /** Called with each hit as soon as it is found, where hits come by time. */
  readonly onHit?: (hit: SearchHit) => void;
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
}

export class Searcher {
  readonly #store: ScopedStore;
  readonly #index: CurrentIndex;
  readonly #rankByMeaning: RankByMeaning | null;

  constructor(store: ScopedStore, index: CurrentIndex, rankByMeaning: RankByMeaning | null) {
    this.#store = store;
    this.#index = index;
    this.#rankByMeaning = rankByMeaning;
  }

  search(query: SearchQuery): Promise<SearchAnswer> {
    const cursor = query.cursor === null ? null : readCursor(query.cursor, query.order, query.digest);
    if (query.meaning !== undefined) return this.#joined(query, query.meaning, cursor);
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
      const snapshot = await this.#index.open(query.signal);
      const selected = await selectDocuments(snapshot, selectionOf(query), query.filter);
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
    const last = cursor !== null && "rank" in cursor ? cursor : null;
    const wanted = (last?.rank ?? 0) + query.limit + 1;
    let ranked = await this.#ranked(query, segments, texts, wanted);
    let start = startBehind(ranked, last);
    if (ranked.length >= wanted && ranked.length - start <= query.limit) {
      // What was shown last has moved down, so that less follows it among so many.
      ranked = await this.#ranked(query, segments, texts, Number.POSITIVE_INFINITY);
      start = startBehind(ranked, last);
    }
    const page = await pageOf(query, texts, ranked, start);
    return { ...page, ...countOf(query, segments), searched, opened: texts.opened };
  }

  /** By words and by meaning. There are only as many as both rankings have together. */
  async #joined(query: SearchQuery, meaning: string, cursor: Cursor | null): Promise<SearchAnswer> {
    const rankByMeaning = this.#rankByMeaning;
    if (rankByMeaning === null) throw noMeaning();
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
    const byWords = (await this.#ranked(query, segments, texts, JOINED)).slice(0, JOINED);
    const ranked = joinRankings([byWords, await meantMessages(this.#store, ids, query.filter)]);
    const start = startBehind(ranked, cursor !== null && "rank" in cursor ? cursor : null);
    const page = await pageOf(query, texts, ranked, start);
    return { ...page, total: null, searched, opened: texts.opened };
  }

  /** The best first: at least as many as wanted, if there are as many. */
  async #ranked(
    { matcher }: SearchQuery,
    segments: readonly SelectedSegment[],
    texts: Texts,
    wanted: number,
  ): Promise<readonly Candidate[]> {
    if (!hasPhrases(matcher)) return bestFirst(segments, wanted);
    return texts.prove(bestFirst(segments, Number.POSITIVE_INFINITY), wanted);
  }
}

/** The hits from a rank on, and where to go on behind them. */
async function pageOf(
  { limit, hasRoom = () => true, digest }: SearchQuery,
  texts: Texts,
  ranked: readonly Candidate[],
  start: number,
): Promise<Pick<SearchAnswer, "hits" | "next">> {
  const page = ranked.slice(start, start + limit);
  const hits = await texts.hits(page);
  const tooMuch = hits.findIndex((hit) => !hasRoom(hit));
  if (tooMuch < 0) return { hits, next: cursorBehindRank(page, start + page.length, ranked.length, digest) };
  const left = hits[tooMuch]?.document.ref;
  const shown = page.findIndex(({ ref }) => left !== undefined && isSame(ref, left));
  const next = cursorBehindRank(page.slice(0, shown), start + shown, ranked.length, digest);
  return { hits: hits.slice(0, tooMuch), next };
}

function isSame(a: DocumentRef, b: DocumentRef): boolean {
  return a.conversation === b.conversation && a.kind === b.kind && a.number === b.number;
}

/** Behind what was shown last, wherever it stands now; where it would stand, if it is gone. */
function startBehind(ranked: readonly Candidate[], last: RankCursor | null): number {
  if (last === null) return 0;
  const { ref } = last.after;
  const place = ranked.findIndex((one) => isSame(one.ref, ref));
  if (place >= 0) return place + 1;
  const next = ranked.findIndex(
    (one) => mostOf(one) < last.score || (mostOf(one) === last.score && byTime(one, last.after) > 0),
  );
  return next < 0 ? ranked.length : next;
}

function cursorBehindRank(
  page: readonly Candidate[],
  end: number,
  count: number,
  digest: string,
): string | null {
  const shown = page.at(-1);
  if (shown === undefined || count <= end) return null;
  return writeCursor(
    { rank: end, score: mostOf(shown), after: { time: shown.time, ref: shown.ref } },
    digest,
  );
}

function noMeaning(): PalimpsestError {
  return new PalimpsestError("invalid-input", "nothing is configured that could rank by meaning", {
    advice: "Search with the mode full_text, or hand `rankByMeaning` to open().",
  });
}

function selectionOf({ matcher, order }: SearchQuery): Selection {
  if (matcher.type === "words") return { ...matcher, isRanked: order === "relevance" };
  const needs = matcher.type === "pattern" ? matcher.pattern.needs : null;
  return needs === null ? { type: "all" } : { type: "needs", needs };
}

function hasPhrases(matcher: Matcher): boolean {
  return matcher.type === "words" && matcher.terms.some((term) => term.type === "phrase");
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
