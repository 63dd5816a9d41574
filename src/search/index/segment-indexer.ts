/**
 * Brings an index up to date: unindexed documents become a segment, and small segments are merged into larger ones.
 * It runs after the turns and never delays them. If another process or an erasure interferes, it plans again.
 */
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { unlessCancelled } from "../../threads/unless-cancelled.ts";

/** Consecutive document numbers, both ends inclusive. */
export interface NumberRun {
  readonly first: number;
  readonly last: number;
}

export interface IndexOptions {
  /** Do nothing for fewer documents than this. Default 1. */
  readonly atLeast?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly indexed: number }) => void;
}

/** The stored segments of an index, and the documents not yet indexed. */
interface IndexState<Segment, Run> {
  readonly segments: readonly Segment[];
  readonly unindexed: readonly Run[];
}

/** Builds segments. The work is the same in every thread. */
export interface SegmentMaker<Document, Segment> {
  build(documents: readonly Document[]): Promise<Segment>;
  merge(segments: readonly Segment[]): Promise<Segment>;
}

const TRIES = 5;

export abstract class SegmentIndexer<Segment, Run extends NumberRun> {
  #last: Promise<unknown> = Promise.resolve();

  protected abstract readIndex(): Promise<IndexState<Segment, Run>>;
  /** Builds one segment from the first documents of the runs. Returns how many documents it holds. */
  protected abstract indexFirst(unindexed: readonly Run[]): Promise<number>;
  /** The segments to merge into one; empty when nothing needs merging. */
  protected abstract chooseMerge(segments: readonly Segment[]): readonly Segment[];
  protected abstract merge(segments: readonly Segment[]): Promise<void>;

  /**
   * Returns how many documents it indexed. A caller during a run waits for that run and then has little left to do.
   * Work that another process completes first is left to that process.
   */
  catchUp(options: IndexOptions = {}): Promise<number> {
    const waited = unlessCancelled(this.#last, options.signal, cancelled);
    const done = waited.then(() => this.#catchUp(options));
    this.#last = Promise.allSettled([this.#last, done]);
    return done;
  }

  /** Called before a search. A read-only store is searched with its current index. */
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

/** Documents indexed before the abort stay indexed. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}

function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "indexing was cancelled");
}

/** For a caller that finds a segment missing: it was merged, or it contained documents erased since. */
export function segmentGone(segment: number): PalimpsestError {
  return new PalimpsestError("busy", `segment ${segment} of the index no longer exists`);
}

/** After a conflict with another process, plans again. If conflicts persist, the other process does the work. */
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
