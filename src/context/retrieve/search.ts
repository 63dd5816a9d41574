/**
 * Finds messages and summaries by their words, ranked, or by a pattern, complete. The index says where to look; what
 * it does not hold yet is indexed on the way, so that an answer never depends on how far the index has come.
 */
import { PalimpsestError } from "../../errors.ts";
import type { StoredDocument } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { bestFirst, byTime, type Candidate, mostOf, newestFirst } from "./candidates.ts";
import type { CurrentIndex } from "./current-index.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import type { DocumentFilter } from "./filter.ts";
import { hasPhrase, type Matches, patternMatches, wordMatches } from "./matches.ts";
import type { QueryTerm } from "./parse-query.ts";
import type { Pattern } from "./pattern.ts";
import { textOfDocument } from "./searchable.ts";
import { type SelectedSegment, type Selection, selectDocuments } from "./select-documents.ts";

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
/** Texts that are opened at a time: few at first, so that the first hits show at once. */
const FIRST_TEXTS = 8;
const MOST_TEXTS = 128;

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
      signal?.throwIfAborted();
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
    for (const batch of inBatches(newestFirst(segments)))
      for (const hit of await texts.hits(batch.filter((one) => after === null || byTime(one, after) > 0))) {
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
function countOf(
  { matcher }: SearchQuery,
  segments: readonly SelectedSegment[],
): Pick<SearchAnswer, "total"> {
  if (matcher.type === "pattern" || hasPhrases(matcher)) return { total: null };
  return { total: segments.reduce((sum, { documents }) => sum + documents.length, 0) };
}

function cursorBehind(hits: readonly SearchHit[]): string | null {
  const last = hits.at(-1);
  return last === undefined ? null : writeCursor({ after: { time: last.time, ref: last.document.ref } });
}

/** Small batches first, then larger ones. */
function* inBatches(candidates: Iterable<Candidate>): Generator<readonly Candidate[]> {
  let size = FIRST_TEXTS;
  let batch: Candidate[] = [];
  for (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
    size = Math.min(MOST_TEXTS, 2 * size);
  }
  if (batch.length > 0) yield batch;
}

/** Opens documents and looks for the matches in them. */
class Texts {
  opened = 0;
  readonly #store: ScopedStore;
  readonly #query: SearchQuery;

  constructor(store: ScopedStore, query: SearchQuery) {
    this.#store = store;
    this.#query = query;
  }

  /** Those of the candidates that really match, in their order. What was erased meanwhile is not there any more. */
  async hits(candidates: readonly Candidate[]): Promise<readonly SearchHit[]> {
    const documents = await this.#open(candidates);
    return candidates.flatMap((candidate) => {
      const document = documents.get(candidate);
      const hit = document === undefined ? null : this.#hit(candidate, document);
      return hit === null ? [] : [hit];
    });
  }

  #hit(candidate: Candidate, document: StoredDocument): SearchHit | null {
    const { matcher, order } = this.#query;
    const text = textOfDocument(document);
    if (matcher.type === "pattern" && !matcher.pattern.test(text)) return null;
    const matches = matchesOf(matcher, text);
    if (matcher.type === "words" && matches.spans.length === 0) return null;
    const score = order === "relevance" ? provenScore(candidate, matcher, text) : null;
    return { document, time: candidate.time, score, matches };
  }

  /** The best candidates by what they really score, at least as many as wanted if there are as many. */
  async prove(candidates: readonly Candidate[], wanted: number): Promise<readonly Candidate[]> {
    const proven: { candidate: Candidate; score: number }[] = [];
    let next = 0;
    for (const batch of inBatches(candidates)) {
      const documents = await this.#open(batch);
      for (const candidate of batch) {
        const document = documents.get(candidate);
        const score =
          document === undefined ? 0 : provenScore(candidate, this.#query.matcher, textOfDocument(document));
        if (score > 0) proven.push({ candidate, score });
      }
      proven.sort((a, b) => b.score - a.score || byTime(a.candidate, b.candidate));
      next += batch.length;
      const rest = candidates[next];
      const least = proven[wanted - 1]?.score;
      if (rest === undefined || (least !== undefined && mostOf(rest) < least)) break;
    }
    return proven.map(({ candidate }) => candidate);
  }

  async #open(candidates: readonly Candidate[]): Promise<ReadonlyMap<Candidate, StoredDocument>> {
    this.#query.signal?.throwIfAborted();
    this.opened += candidates.length;
    const found = await this.#store.documents(candidates.map(({ ref }) => ref));
    const documents = found.filter((document) => "message" in document || document.summary.content !== null);
    const byRef = new Map(documents.map((document) => [JSON.stringify(document.ref), document]));
    return new Map(
      candidates.flatMap((candidate) => {
        const document = byRef.get(JSON.stringify(candidate.ref));
        return document === undefined ? [] : [[candidate, document]];
      }),
    );
  }
}

function matchesOf(matcher: Matcher, text: string): Matches {
  switch (matcher.type) {
    case "words":
      return wordMatches(text, matcher.terms);
    case "pattern":
      return patternMatches(text, matcher.pattern);
    case "any":
      return { text, spans: [] };
  }
}

function provenScore({ certain, phrases }: Candidate, matcher: Matcher, text: string): number {
  if (matcher.type !== "words") return certain;
  const asked = matcher.terms.filter((term) => term.type === "phrase");
  return asked.reduce((sum, { words }, i) => {
    const added = phrases[i] ?? 0;
    return added > 0 && hasPhrase(text, words) ? sum + added : sum;
  }, certain);
}
