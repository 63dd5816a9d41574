/** Candidate documents of a search, and their orders. */
import type { DocumentRef } from "../../store/search-store.ts";
import type { SelectedSegment } from "./select-documents.ts";

export interface Candidate {
  readonly ref: DocumentRef;
  readonly time: number;
  /** Score from words and prefixes; 0 if nothing is ranked. */
  readonly certain: number;
  /** What each phrase of the query adds if the text really contains it. */
  readonly phrases: readonly number[];
}

/** A position in the order by time. */
export type Position = Pick<Candidate, "ref" | "time">;

/** Newest first; at the same time by conversation, messages before summaries, and later ones before earlier ones. */
export function byTime(a: Position, b: Position): number {
  return (
    b.time - a.time ||
    compareText(a.ref.conversation, b.ref.conversation) ||
    compareText(a.ref.kind, b.ref.kind) ||
    b.ref.number - a.ref.number
  );
}

export function* behind(candidates: Iterable<Candidate>, after: Position | null): Generator<Candidate> {
  for (const candidate of candidates) if (after === null || byTime(candidate, after) > 0) yield candidate;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The upper bound of its score. */
export function mostOf({ certain, phrases }: Candidate): number {
  return phrases.reduce((sum, score) => sum + score, certain);
}

function candidateOf({ view, scores }: SelectedSegment, document: number): Candidate {
  return {
    ref: view.refOf(document),
    time: view.columns.times[document] ?? 0,
    certain: scores?.certainOf(document) ?? 0,
    phrases: scores?.phrases.map((phrase) => phrase[document] ?? 0) ?? [],
  };
}

/** Sorts segments only as far as candidates are consumed. Segments may overlap in time. */
export function* newestFirst(segments: readonly SelectedSegment[]): Generator<Candidate> {
  const sorted = segments.toSorted((a, b) => b.latest - a.latest);
  const order = new TimeOrder();
  for (const [index, segment] of sorted.entries()) {
    order.add(segment);
    yield* order.newerThan(sorted[index + 1]?.latest ?? Number.NEGATIVE_INFINITY);
  }
}

/** The candidates of segments added one by one, those with the newest documents first. */
export class TimeOrder {
  readonly #streams: Stream[] = [];

  add(segment: SelectedSegment): void {
    this.#streams.push(new Stream(segment));
  }

  /** The candidates that no document of a segment ending at this time can precede. */
  *newerThan(time: number): Generator<Candidate> {
    for (;;) {
      const best = firstOf(this.#streams);
      if (best?.head === undefined || best.head.time <= time) return;
      yield best.head;
      best.advance();
    }
  }
}

function firstOf(streams: readonly Stream[]): Stream | undefined {
  let best: Stream | undefined;
  for (const stream of streams)
    if (stream.head !== undefined && (best?.head === undefined || byTime(stream.head, best.head) < 0))
      best = stream;
  return best;
}

/** The documents of one segment by time. They are sorted as numbers; objects are created when they are reached. */
class Stream {
  head: Candidate | undefined;
  readonly #segment: SelectedSegment;
  readonly #byTime: Int32Array;
  /** Candidates with the same time, in order, the next one last. */
  #moment: Candidate[] = [];
  #left: number;

  constructor(segment: SelectedSegment) {
    this.#segment = segment;
    this.#byTime = sortedByTime(segment);
    this.#left = this.#byTime.length;
    this.advance();
  }

  advance(): void {
    if (this.#moment.length === 0) this.#nextMoment();
    this.head = this.#moment.pop();
  }

  #nextMoment(): void {
    const time = this.#timeAt(this.#left - 1);
    while (this.#left > 0 && this.#timeAt(this.#left - 1) === time)
      this.#moment.push(candidateOf(this.#segment, this.#byTime[--this.#left] ?? 0));
    this.#moment.sort((a, b) => byTime(b, a));
  }

  #timeAt(place: number): number {
    return this.#segment.view.columns.times[this.#byTime[place] ?? 0] ?? 0;
  }
}

/** Oldest first. Usually they are already in order. */
function sortedByTime({ view, ...segment }: SelectedSegment): Int32Array {
  const { times } = view.columns;
  const documents = segment.documents();
  const timeOf = (document: number) => times[document] ?? 0;
  for (let i = 1; i < documents.length; i++)
    if (timeOf(documents[i - 1] ?? 0) > timeOf(documents[i] ?? 0))
      return documents.toSorted((a, b) => timeOf(a) - timeOf(b));
  return documents;
}

/** The candidates with the highest possible scores, at least this many if there are enough, best first. */
export function bestFirst(
  segments: readonly SelectedSegment[],
  most: number,
  by: "most" | "certain" = "most",
): Candidate[] {
  const pool = new BestPool(most, by === "most" ? scoreOf : certainScoreOf);
  for (const segment of segments) for (const document of segment.documents()) pool.add(segment, document);
  const found = pool.take();
  const scored = by === "most" ? found : found.map((candidate) => ({ ...candidate, phrases: [] }));
  return scored.sort((a, b) => mostOf(b) - mostOf(a) || byTime(a, b));
}

interface Entry {
  readonly segment: SelectedSegment;
  readonly document: number;
  readonly score: number;
}

/** Most documents score lower than those already collected, and no object is created for them. */
class BestPool {
  readonly #most: number;
  readonly #scoreOf: typeof scoreOf;
  #entries: Entry[] = [];
  #least = Number.NEGATIVE_INFINITY;
  #pruneAt: number;

  constructor(most: number, score: typeof scoreOf) {
    this.#most = most;
    this.#scoreOf = score;
    this.#pruneAt = 2 * most + 1_000;
  }

  add(segment: SelectedSegment, document: number): void {
    const score = this.#scoreOf(segment, document);
    if (score < this.#least) return;
    this.#entries.push({ segment, document, score });
    if (this.#entries.length < this.#pruneAt) return;
    this.#prune();
    // Thousands may have equal scores, and all of them are kept.
    this.#pruneAt = Math.max(this.#pruneAt, 2 * this.#entries.length);
  }

  take(): Candidate[] {
    this.#prune();
    return this.#entries.map(({ segment, document }) => candidateOf(segment, document));
  }

  /** Keeps candidates with equal scores: their order is decided by time. */
  #prune(): void {
    if (this.#entries.length <= this.#most) return;
    this.#entries.sort((a, b) => b.score - a.score);
    this.#least = this.#entries[this.#most - 1]?.score ?? this.#least;
    this.#entries = this.#entries.filter(({ score }) => score >= this.#least);
  }
}

function scoreOf({ scores }: SelectedSegment, document: number): number {
  let score = scores?.certainOf(document) ?? 0;
  for (const phrase of scores?.phrases ?? []) score += phrase[document] ?? 0;
  return score;
}

function certainScoreOf({ scores }: SelectedSegment, document: number): number {
  return scores?.certainOf(document) ?? 0;
}
