/**
 * Brings an index up to date: unindexed documents become a segment, and small segments are merged into larger ones.
 * It runs after the turns and never delays them. If another process or an erasure was faster, it plans again.
 */
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { unlessCancelled } from "../../threads/unless-cancelled.ts";

/** Documents whose numbers follow each other, both inclusive. */
export interface NumberRun {
  readonly first: number;
  readonly last: number;
}

export interface IndexOptions {
  /** Leave fewer documents than this alone. Default 1. */
  readonly atLeast?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly indexed: number }) => void;
}

/** What is stored of an index, and what is missing. */
interface IndexState<Segment, Run> {
  readonly segments: readonly Segment[];
  readonly unindexed: readonly Run[];
}

/** Makes segments. The work is the same wherever it is done. */
export interface SegmentMaker<Document, Segment> {
  build(documents: readonly Document[]): Promise<Segment>;
  merge(segments: readonly Segment[]): Promise<Segment>;
}

const TRIES = 5;

export abstract class SegmentIndexer<Segment, Run extends NumberRun> {
  #last: Promise<unknown> = Promise.resolve();

  protected abstract readIndex(): Promise<IndexState<Segment, Run>>;
  /** Makes one segment of the first documents of the runs. Answers with how many it holds. */
  protected abstract indexFirst(unindexed: readonly Run[]): Promise<number>;
  /** Segments that should become one; none when nothing is to be merged. */
  protected abstract chooseMerge(segments: readonly Segment[]): readonly Segment[];
  protected abstract merge(segments: readonly Segment[]): Promise<void>;

  /**
   * Answers with how many documents it indexed. Whoever asks while it goes on waits for it, and then has little to do;
   * what another process is faster with is left to that one.
   */
  catchUp(options: IndexOptions = {}): Promise<number> {
    const waited = unlessCancelled(this.#last, options.signal, cancelled);
    const done = waited.then(() => this.#catchUp(options));
    this.#last = Promise.allSettled([this.#last, done]);
    return done;
  }

  /** Before a search. A store that may only be read is searched as it is. */
  async catchUpIfWritable(options: IndexOptions): Promise<void> {
    try {
      await this.catchUp(options);
    } catch (error) {
      if (!isPalimpsestError(error, "store-readonly")) throw error;
    }
  }

  async #catchUp(options: IndexOptions): Promise<number> {
    let indexed = 0;
    for (;;) {
      stopIfAborted(options.signal);
      const added = await planAgain(() => this.#indexNext(options.atLeast ?? 1), 0);
      if (added === 0) return indexed;
      indexed += added;
      options.onProgress?.({ indexed });
      while (await planAgain(() => this.#mergeNext(), false)) stopIfAborted(options.signal);
    }
  }

  async #indexNext(atLeast: number): Promise<number> {
    const { unindexed } = await this.readIndex();
    const waiting = countDocuments(unindexed);
    return waiting === 0 || waiting < atLeast ? 0 : this.indexFirst(unindexed);
  }

  async #mergeNext(): Promise<boolean> {
    const chosen = this.chooseMerge((await this.readIndex()).segments);
    if (chosen.length === 0) return false;
    await this.merge(chosen);
    return true;
  }
}

export function sizeOf({ first, last }: NumberRun): number {
  return last - first + 1;
}

export function countDocuments(runs: readonly NumberRun[]): number {
  return runs.reduce((sum, run) => sum + sizeOf(run), 0);
}

/** What was indexed until then stays. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}

function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "indexing was cancelled");
}

/** For whoever finds a segment gone: it was merged, or holds what was erased since. */
export function segmentGone(segment: number): PalimpsestError {
  return new PalimpsestError("busy", `segment ${segment} of the index no longer exists`);
}

/** Somebody else was faster: what is left to do is planned again. Where they always are, it is left to them. */
async function planAgain<Result>(attempt: () => Promise<Result>, left: Result): Promise<Result> {
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPalimpsestError(error, "busy")) throw error;
    }
  }
  return left;
}
