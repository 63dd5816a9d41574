/**
 * Finds messages and summaries by their words, ranked, or by a pattern, complete. The index says where to look; what
 * it does not hold yet is indexed on the way, so that an answer never depends on how far the index has come.
 */
import { PalimpsestError } from "../../errors.ts";
import type { StoredDocument } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { bestFirst, byTime, type Candidate, newestFirst, type Position } from "./candidates.ts";
import type { CurrentIndex } from "./current-index.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import type { DocumentFilter } from "./filter.ts";
import type { Matches } from "./matches.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { Pattern } from "./pattern.ts";
import { type SelectedSegment, type Selection, selectDocuments } from "./select-documents.ts";
import { stopIfCancelled } from "./stop-if-cancelled.ts";
import { Texts } from "./texts.ts";

export type Matcher =
  | { readonly type: "words"; readonly terms: readonly QueryTerm[] }
  | { readonly type: "pattern"; readonly pattern: Pattern }
  /** Everything that passes the filter. */
  | { readonly type: "any" };

export interface SearchQuery {
  readonly matcher: Matcher;
  readonly filter: DocumentFilter;
  /** Only words can be ranked. */
  readonly order: "relevance" | "time";
  readonly limit: number;
  readonly cursor: string | null;
  readonly signal?: AbortSignal;
  /** Called with each hit as soon as it is found, where hits come by time. */
  readonly onHit?: (hit: SearchHit) => void;
}

export interface SearchHit {
  readonly document: StoredDocument;
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

const TRIES = 8;

export class Searcher {
  readonly #store: ScopedStore;
  readonly #index: CurrentIndex;

  constructor(store: ScopedStore, index: CurrentIndex) {
    this.#store = store;
    this.#index = index;
  }

  search(query: SearchQuery): Promise<SearchAnswer> {
    const cursor = query.cursor === null ? null : readCursor(query.cursor, query.order);
    return query.order === "relevance" ? this.#best(query, cursor) : this.#newest(query, cursor);
  }

  /** Reads the index; again, when it was changed while it was read. */
  async #select({ matcher, filter, signal }: SearchQuery): Promise<Shortlist> {
    for (let tries = 1; tries <= TRIES; tries++) {
      stopIfCancelled(signal);
      const snapshot = await this.#index.open(signal);
      const segments = await selectDocuments(snapshot, selectionOf(matcher), filter);
      if (await snapshot.isCurrent()) return { segments, searched: snapshot.statistics.documents };
    }
    throw new PalimpsestError("busy", "the search index is being changed all the time", {
      advice: "Try again.",
    });
  }

  async #newest(query: SearchQuery, cursor: Cursor | null): Promise<SearchAnswer> {
    const { segments, searched } = await this.#select(query);
    const after = cursor !== null && "after" in cursor ? cursor.after : null;
    const texts = new Texts(this.#store, query);
    const hits: SearchHit[] = [];
    for await (const found of texts.hitsAmong(behind(newestFirst(segments), after), isCertain(query.matcher)))
      for (const hit of found) {
        if (hits.length === query.limit)
          return {
            hits,
            next: cursorBehind(hits),
            ...countOf(query, segments),
            searched,
            opened: texts.opened,
          };
        hits.push(hit);
        query.onHit?.(hit);
      }
    return { hits, next: null, ...countOf(query, segments), searched, opened: texts.opened };
  }

  async #best(query: SearchQuery, cursor: Cursor | null): Promise<SearchAnswer> {
    const { segments, searched } = await this.#select(query);
    const skip = cursor !== null && "rank" in cursor ? cursor.rank : 0;
    const texts = new Texts(this.#store, query);
    const wanted = skip + query.limit + 1;
    const ranked = hasPhrases(query.matcher)
      ? await texts.prove(bestFirst(segments, Number.POSITIVE_INFINITY), wanted)
      : bestFirst(segments, wanted);
    const hits = await texts.hits(ranked.slice(skip, skip + query.limit));
    const next = ranked.length >= wanted ? writeCursor({ rank: skip + query.limit }) : null;
    return { hits, next, ...countOf(query, segments), searched, opened: texts.opened };
  }
}

interface Shortlist {
  readonly segments: readonly SelectedSegment[];
  readonly searched: number;
}

function selectionOf(matcher: Matcher): Selection {
  if (matcher.type === "words") return matcher;
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
  return { total: segments.reduce((sum, { documents }) => sum + documents.length, 0) };
}

function cursorBehind(hits: readonly SearchHit[]): string | null {
  const last = hits.at(-1);
  return last === undefined ? null : writeCursor({ after: { time: last.time, ref: last.document.ref } });
}

function* behind(candidates: Iterable<Candidate>, after: Position | null): Generator<Candidate> {
  for (const candidate of candidates) if (after === null || byTime(candidate, after) > 0) yield candidate;
}
