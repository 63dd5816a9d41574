/**
 * Brings the word index of memories up to date: what no segment holds becomes one, and small segments become larger
 * ones. Behind the turns, never in their way; whoever is overtaken by another process, or by an erasure, plans again.
 */

import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import type { MemoryIndex, MemoryRun } from "../../../store/memory-store.ts";
import { chooseMerge, sizeOf } from "./choose-merge.ts";
import type { IndexStore } from "./index-store.ts";
import { readDocuments } from "./read-documents.ts";
import type { MemorySegmentMaker } from "./segment-maker.ts";
import { isIntact, openSegment } from "./segment-view.ts";

export interface MemoryIndexOptions {
  /** Leave fewer memories than this alone. Default 1. */
  readonly atLeast?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly indexed: number }) => void;
}

type SegmentHead = MemoryIndex["segments"][number];

/** What a new segment holds at most. */
const MOST_DOCUMENTS = 16_384;
const MOST_CHARACTERS = 32 * 1024 * 1024;
const TRIES = 5;

export class MemoryIndexer {
  readonly #store: IndexStore;
  readonly #maker: MemorySegmentMaker;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: IndexStore, maker: MemorySegmentMaker) {
    this.#store = store;
    this.#maker = maker;
  }

  /**
   * Answers with how many memories it indexed. Whoever asks while it goes on waits for it, and then has little to do;
   * what another process is faster with is left to that one.
   */
  catchUp(options: MemoryIndexOptions = {}): Promise<number> {
    const done = this.#last.then(() => this.#catchUp(options));
    this.#last = done.catch(() => {});
    return done;
  }

  async #catchUp(options: MemoryIndexOptions): Promise<number> {
    let indexed = 0;
    for (;;) {
      stopIfAborted(options.signal);
      const added = await again(() => this.#indexNext(options.atLeast ?? 1), 0);
      if (added === 0) return indexed;
      indexed += added;
      options.onProgress?.({ indexed });
      while (await again(() => this.#mergeNext(), false)) stopIfAborted(options.signal);
    }
  }

  /**
   * Makes every segment again from its memories, and then what is missing. Each is replaced in one step: searches find
   * everything meanwhile, and what was done stays when it is cancelled.
   */
  async rebuild(options: Omit<MemoryIndexOptions, "atLeast"> = {}): Promise<number> {
    let indexed = 0;
    const { segments } = await this.#store.memoryIndex();
    for (const segment of segments) {
      stopIfAborted(options.signal);
      indexed += await this.#makeAgain(segment);
      options.onProgress?.({ indexed });
    }
    const onProgress = (progress: { readonly indexed: number }) =>
      options.onProgress?.({ indexed: indexed + progress.indexed });
    return indexed + (await this.catchUp({ ...options, onProgress }));
  }

  async #indexNext(atLeast: number): Promise<number> {
    const { unindexed } = await this.#store.memoryIndex();
    const waiting = unindexed.reduce((sum, run) => sum + sizeOf(run), 0);
    const [run] = unindexed;
    if (run === undefined || waiting < atLeast) return 0;
    return this.#makeSegment({ ...run, last: Math.min(run.last, run.first + MOST_DOCUMENTS - 1) }, []);
  }

  /** Merged away or erased from meanwhile: others have done it, or it is unindexed now. */
  async #makeAgain(segment: SegmentHead): Promise<number> {
    try {
      return await this.#makeSegment(segment, [segment.id]);
    } catch (error) {
      if (!isPalimpsestError(error, "busy")) throw error;
      return 0;
    }
  }

  async #makeSegment(run: MemoryRun, replaces: readonly number[]): Promise<number> {
    const { documents, last } = await readDocuments(this.#store, run, MOST_CHARACTERS);
    await this.#write({ ...run, last }, await this.#maker.build(documents), replaces);
    return documents.length;
  }

  async #mergeNext(): Promise<boolean> {
    const chosen = chooseMerge((await this.#store.memoryIndex()).segments);
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (first === undefined || last === undefined) return false;
    const run = { scope: first.scope, first: first.first, last: last.last };
    const replaces = chosen.map(({ id }) => id);
    const contents = await this.#contentsOf(replaces);
    if (contents.every(isIntact)) await this.#write(run, await this.#maker.merge(contents), replaces);
    else await this.#makeSegment(run, replaces);
    return true;
  }

  async #write(run: MemoryRun, content: Uint8Array, replaces: readonly number[]): Promise<void> {
    const { scope, first, last } = run;
    const { erased } = openSegment(content);
    const segment = { scope, first, last, content, erased };
    await this.#store.commit([{ kind: "memory-index", replaces, segment }]);
  }

  async #contentsOf(ids: readonly number[]): Promise<readonly Uint8Array[]> {
    const segments = await this.#store.memorySegments(ids);
    const contents = new Map(segments.map(({ id, content }) => [id, content]));
    return ids.map((id) => contents.get(id) ?? gone(id));
  }
}

function gone(segment: number): never {
  throw new PalimpsestError("busy", `segment ${segment} of the word index is not there any more`);
}

/** What was indexed until then stays. */
function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "indexing was cancelled");
}

/** Somebody else was faster: what is left to do is looked at anew; where they always are, it is left to them. */
async function again<Result>(attempt: () => Promise<Result>, left: Result): Promise<Result> {
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPalimpsestError(error, "busy")) throw error;
    }
  }
  return left;
}
