/**
 * Brings the search index up to date: what no segment holds becomes one, and small segments become larger ones. Behind
 * the turns, never in their way; whoever is overtaken by another process, or by an erasure, plans again.
 */
import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import type { DocumentRun, NewSegment, SearchSegment } from "../../../store/search-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { IndexedDocument } from "./build-segment.ts";
import { readRun, readSegment, type WholeSegment } from "./read-documents.ts";
import type { SegmentMaker } from "./segment-maker.ts";

export interface IndexOptions {
  /** Leave fewer documents than this alone. Default 1. */
  readonly atLeast?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly indexed: number }) => void;
}

/** What a new segment holds at most. */
const MOST_DOCUMENTS = 2_048;
const MOST_BYTES = 8 * 1024 * 1024;
/** Segments of one size that are merged into one of the next; larger ones than this stay. */
const FAN_IN = 8;
const SMALLEST = 64;
const LARGEST_MERGED = 2_048;
const TRIES = 5;

export class Indexer {
  readonly #store: ScopedStore;
  readonly #maker: SegmentMaker;

  constructor(store: ScopedStore, maker: SegmentMaker) {
    this.#store = store;
    this.#maker = maker;
  }

  /** Answers with how many documents it indexed. */
  async catchUp(options: IndexOptions = {}): Promise<number> {
    let indexed = 0;
    for (;;) {
      stopIfAborted(options.signal);
      const added = await again(() => this.#indexNext(options.atLeast ?? 1));
      if (added === 0) return indexed;
      indexed += added;
      options.onProgress?.({ indexed });
      while (await again(() => this.#mergeNext())) stopIfAborted(options.signal);
    }
  }

  async #indexNext(atLeast: number): Promise<number> {
    const { unindexed: runs } = await this.#store.searchIndex();
    const waiting = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    if (waiting < atLeast) return 0;
    const batch = await readBatch(this.#store, runs);
    if (batch.documents.length === 0) return 0;
    const segment = { ...(await this.#maker.build(batch.documents)), runs: batch.runs };
    await this.#store.commit([{ kind: "index", replaces: [], segment }]);
    return segment.documents;
  }

  async #mergeNext(): Promise<boolean> {
    const mergeable = chooseMerge((await this.#store.searchIndex()).segments);
    if (mergeable.length === 0) return false;
    const parts = await Promise.all(mergeable.map((segment) => this.#readWhole(segment)));
    const segment: NewSegment = {
      ...(await this.#maker.merge(parts)),
      runs: joinRuns(parts.flatMap(({ runs }) => runs)),
    };
    await this.#store.commit([{ kind: "index", replaces: mergeable.map(({ id }) => id), segment }]);
    return true;
  }

  async #readWhole(segment: SearchSegment): Promise<WholeSegment> {
    const whole = await readSegment(this.#store, segment);
    if (whole === undefined) throw gone(segment.id);
    return whole;
  }
}

/** What was indexed until then stays. */
function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "indexing was cancelled");
}

function gone(segment: number): PalimpsestError {
  return new PalimpsestError("busy", `segment ${segment} of the search index is not there any more`);
}

/** Somebody else was faster: what is left to do is looked at anew. */
async function again<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === TRIES || !isPalimpsestError(error, "busy")) throw error;
    }
  }
}

/** Pure. Segments of about one size that together make one of the next, the oldest first. */
export function chooseMerge(segments: readonly SearchSegment[]): readonly SearchSegment[] {
  const mergeable = segments.filter(({ documents }) => documents <= LARGEST_MERGED);
  const sizes = Map.groupBy(mergeable, ({ documents }) =>
    Math.floor(Math.log(Math.max(1, documents / SMALLEST)) / Math.log(FAN_IN)),
  );
  for (const same of sizes.values()) if (same.length >= FAN_IN) return same.slice(0, FAN_IN);
  return [];
}

/** Runs that follow each other are one. */
function joinRuns(runs: readonly DocumentRun[]): DocumentRun[] {
  const joined: DocumentRun[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    const goesOn =
      before?.conversation === run.conversation && before.kind === run.kind && before.last + 1 === run.first;
    if (before !== undefined && goesOn) joined[joined.length - 1] = { ...before, last: run.last };
    else joined.push(run);
  }
  return joined;
}

interface Batch {
  readonly documents: readonly IndexedDocument[];
  readonly runs: NewSegment["runs"];
}

/** As many of the documents as one segment takes. */
export async function readBatch(store: ScopedStore, runs: readonly DocumentRun[]): Promise<Batch> {
  const documents: IndexedDocument[] = [];
  const taken: NewSegment["runs"][number][] = [];
  let size = 0;
  for (const run of runs) {
    let erased = 0;
    let last = run.first - 1;
    for await (const { document, isErased } of readRun(store, run)) {
      documents.push(document);
      size += document.content?.length ?? 0;
      erased += isErased ? 1 : 0;
      last++;
      if (documents.length >= MOST_DOCUMENTS || size >= MOST_BYTES) break;
    }
    if (last >= run.first) taken.push({ ...run, last, erased });
    if (last < run.last) break;
  }
  return { documents, runs: taken };
}
