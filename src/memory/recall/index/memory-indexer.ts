/** The word index of memories, kept up to date. */

import { isPalimpsestError } from "../../../errors.ts";
import { isIntact, PackedSegment } from "../../../search/index/packed-segment.ts";
import {
  type IndexOptions,
  SegmentIndexer,
  type SegmentMaker,
  segmentGone,
  stopIfAborted,
} from "../../../search/index/segment-indexer.ts";
import type { MemoryIndex, MemoryRun } from "../../../store/memory-store.ts";
import { chooseMerge, joined } from "./choose-merge.ts";
import type { IndexStore } from "./index-store.ts";
import type { MemoryDocument } from "./memory-document.ts";
import { readDocuments } from "./read-documents.ts";

/** A segment is the bytes of a `PackedSegment`. */
export type MemorySegmentMaker = SegmentMaker<MemoryDocument, Uint8Array>;

type SegmentHead = MemoryIndex["segments"][number];

/** Maximum number of memories in a new segment. */
const MOST_DOCUMENTS = 16_384;
const MOST_CHARACTERS = 32 * 1024 * 1024;

export class MemoryIndexer extends SegmentIndexer<SegmentHead, MemoryRun> {
  readonly #store: IndexStore;
  readonly #maker: MemorySegmentMaker;

  constructor(store: IndexStore, maker: MemorySegmentMaker) {
    super();
    this.#store = store;
    this.#maker = maker;
  }

  /**
   * Rebuilds every segment from its memories, then adds missing ones. Each is replaced in one step: searches find
   * everything meanwhile, and completed segments are kept after a cancellation.
   */
  async rebuild(options: Omit<IndexOptions, "atLeast"> = {}): Promise<number> {
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

  protected readIndex() {
    return this.#store.memoryIndex();
  }

  /** A segment is one run, so only the first run is indexed. */
  protected async indexFirst([run]: readonly MemoryRun[]): Promise<number> {
    if (run === undefined) return 0;
    return this.#makeSegment({ ...run, last: Math.min(run.last, run.first + MOST_DOCUMENTS - 1) }, []);
  }

  protected chooseMerge(segments: readonly SegmentHead[]): readonly SegmentHead[] {
    return chooseMerge(segments);
  }

  protected async merge(segments: readonly SegmentHead[]): Promise<void> {
    const run = joined(segments);
    const replaces = segments.map(({ id }) => id);
    const contents = await this.#contentsOf(replaces);
    if (contents.every(isIntact)) await this.#write(run, await this.#maker.merge(contents), replaces);
    else await this.#makeSegment(run, replaces);
  }

  /** A concurrent merge or erasure removed it: it is done already, or unindexed now. */
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

  async #write(run: MemoryRun, content: Uint8Array, replaces: readonly number[]): Promise<void> {
    const { scope, first, last } = run;
    const { erased } = new PackedSegment(content);
    const segment = { scope, first, last, content, erased };
    await this.#store.commit([{ kind: "memory-index", replaces, segment }]);
  }

  async #contentsOf(ids: readonly number[]): Promise<readonly Uint8Array[]> {
    const segments = await this.#store.memorySegments(ids);
    const contents = new Map(segments.map(({ id, content }) => [id, content]));
    return ids.map((id) => {
      const content = contents.get(id);
      if (content === undefined) throw segmentGone(id);
      return content;
    });
  }
}
