/** Searches the word index: the best memories by each scoring, and on request the scores of any other memory. */
import type { PackedSegment } from "../../../search/index/packed-segment.ts";
import type { MemoryRef, MemoryRun } from "../../../store/memory-store.ts";
import { GiveWay } from "../../../threads/give-way.ts";
import { BestFew } from "./best-few.ts";
import { compareScopes } from "./choose-merge.ts";
import { type BestDocuments, type DocumentScore, type SegmentScorer, scoresOf } from "./segment-scorer.ts";
import { type TermLists, termFinder } from "./term-lists.ts";
import type { WordQuery } from "./word-query.ts";
import { type RecipeStatistics, recipeOf, statisticsOf, type WordStatistics } from "./word-statistics.ts";

/** A loaded segment and the memories that it contains. */
export interface PlacedSegment extends MemoryRun {
  readonly view: PackedSegment;
}

export interface WordHit {
  readonly ref: MemoryRef;
  /** BM25 of the unstemmed words. */
  readonly plain: number;
  /** BM25 of stems, without words that occur in most questions. */
  readonly stemmed: number;
  /** 0 to 1: the share of the total weight of the stemmed terms that it contains. */
  readonly coverage: number;
  /** Number of words of its text. */
  readonly length: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface WordSearchOptions {
  /** Maximum hits by each scoring; up to twice as many are returned. */
  readonly limit: number;
  /** Only these of the holder's scopes. */
  readonly scopes?: readonly string[];
}

export interface WordHits {
  /** By the stemmed score, then the plain one, then by scope and number. */
  readonly hits: readonly WordHit[];
  readonly statistics: WordStatistics;
  /** With the same statistics, in the order of the refs; a memory without a word of the question scores 0. */
  scoreAlso(refs: readonly MemoryRef[]): Promise<readonly WordHit[]>;
}

/** `segments` are in order. */
export async function searchWords(
  segments: readonly PlacedSegment[],
  scorer: SegmentScorer,
  query: WordQuery,
  options: WordSearchOptions,
): Promise<WordHits> {
  const search = new WordSearch(segments, query);
  await search.prepare();
  const hits = await search.best(scorer, options);
  return { hits, statistics: search.statistics, scoreAlso: (refs) => search.scoreAlso(refs) };
}

class WordSearch {
  readonly #segments: readonly PlacedSegment[];
  readonly #query: WordQuery;
  readonly #giveWay = new GiveWay();
  #lists: readonly TermLists[] = [];
  statistics: WordStatistics;

  constructor(segments: readonly PlacedSegment[], query: WordQuery) {
    this.#segments = segments;
    this.#query = query;
    this.statistics = statisticsOf(query, [], []);
  }

  async prepare(): Promise<void> {
    const find = termFinder(this.#query);
    const lists: TermLists[] = [];
    for (const { view } of this.#segments) {
      lists.push(find(view));
      await this.#giveWay.ifDue();
    }
    const views = this.#segments.map(({ view }) => view);
    const all = statisticsOf(this.#query, views, lists);
    const [plain, stemmed] = [rarest(all.plain), rarest(all.stemmed)];
    this.#lists = lists.map((found) => ({
      plain: plain.of(found.plain),
      stemmed: stemmed.of(found.stemmed),
    }));
    this.statistics = { ...all, plain: plain.statistics, stemmed: stemmed.statistics };
  }

  async best(scorer: SegmentScorer, { limit, scopes }: WordSearchOptions): Promise<readonly WordHit[]> {
    const best: BestDocuments = { plain: new BestFew(limit), stemmed: new BestFew(limit) };
    const wanted = scopes && new Set(scopes);
    for (const [place, { scope, view }] of this.#segments.entries()) {
      const lists = this.#lists[place];
      if (lists === undefined || wanted?.has(scope) === false) continue;
      scorer.collect(place, view, lists, this.statistics, best);
      await this.#giveWay.ifDue();
    }
    const found = new Set([...best.stemmed.items, ...best.plain.items]);
    return [...found].map((score) => this.#hitOf(score)).sort(compareHits);
  }

  async scoreAlso(refs: readonly MemoryRef[]): Promise<readonly WordHit[]> {
    const places = Map.groupBy(refs, (ref) => placeOf(this.#segments, ref));
    const hits = new Map<string, WordHit>();
    for (const [place, own] of places) {
      for (const score of this.#scoresAt(place, own)) {
        const hit = this.#hitOf(score);
        hits.set(keyOf(hit.ref), hit);
      }
      await this.#giveWay.ifDue();
    }
    return refs.map((ref) => hits.get(keyOf(ref)) ?? unknownHit(ref));
  }

  #scoresAt(place: number, refs: readonly MemoryRef[]): readonly DocumentScore[] {
    const [segment, lists] = [this.#segments[place], this.#lists[place]];
    if (segment === undefined || lists === undefined) return [];
    const documents = new Set(refs.map(({ number }) => number - segment.first));
    return scoresOf(place, segment.view, lists, this.statistics, Int32Array.from(documents).sort());
  }

  #hitOf({ place, document, plain, stemmed, covered }: DocumentScore): WordHit {
    const { scope = "", first = 0, view } = this.#segments[place] ?? {};
    const { ideal } = this.statistics.stemmed;
    return {
      ref: { scope, number: first + document },
      plain,
      stemmed,
      coverage: ideal === 0 ? 0 : covered / ideal,
      length: view?.lengths[document] ?? 0,
      createdAt: view?.times[document] ?? 0,
    };
  }
}

/** More terms improve results little, and each takes the same time. */
const MOST_TERMS = 64;

interface RarestTerms {
  readonly statistics: RecipeStatistics;
  /** The same terms' part of a list that has one item for each term. */
  of<Item>(items: readonly Item[]): readonly Item[];
}

/** In their order. Terms that no memory contains come last, since they find nothing. */
function rarest(statistics: RecipeStatistics): RarestTerms {
  const { terms } = statistics;
  if (terms.length <= MOST_TERMS) return { statistics, of: (items) => items };
  const holders = (place: number) => terms[place]?.documents || Number.POSITIVE_INFINITY;
  const inOrder = [...terms.keys()].sort((a, b) => holders(a) - holders(b) || a - b);
  const chosen = new Set(inOrder.slice(0, MOST_TERMS));
  const of = <Item>(items: readonly Item[]) => items.filter((_, place) => chosen.has(place));
  return { statistics: recipeOf(of(terms)), of };
}

function compareHits(a: WordHit, b: WordHit): number {
  return (
    b.stemmed - a.stemmed ||
    b.plain - a.plain ||
    compareScopes(a.ref.scope, b.ref.scope) ||
    a.ref.number - b.ref.number
  );
}

function keyOf({ scope, number }: MemoryRef): string {
  return `${number} ${scope}`;
}

function unknownHit(ref: MemoryRef): WordHit {
  return { ref, plain: 0, stemmed: 0, coverage: 0, length: 0, createdAt: 0 };
}

/** The position of a memory's segment in the ordered list; -1 if none contains it. */
function placeOf(segments: readonly PlacedSegment[], { scope, number }: MemoryRef): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const segment = segments[middle];
    if (segment === undefined) return -1;
    const order = compareScopes(segment.scope, scope) || segment.first - number;
    if (order <= 0) low = middle + 1;
    else high = middle;
  }
  const found = segments[low - 1];
  return found !== undefined && found.scope === scope && number <= found.last ? low - 1 : -1;
}
