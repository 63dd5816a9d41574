/** Caches stored segments by id: they never change, and are deleted when they are merged or contain an erased memory. */

import { openIfSegment, type PackedSegment } from "../../../search/index/packed-segment.ts";
import { sizeOf } from "../../../search/index/segment-indexer.ts";
import type { MemoryIndex } from "../../../store/memory-store.ts";
import type { IndexStore } from "./index-store.ts";

type SegmentHead = MemoryIndex["segments"][number];

/** Memories whose segments are requested at once: about twenty megabytes. */
const AT_ONCE = 131_072;

export class OpenSegments {
  readonly #store: IndexStore;
  /** Null: written by another version or damaged, and unusable. */
  #views = new Map<number, PackedSegment | null>();

  constructor(store: IndexStore) {
    this.#store = store;
  }

  /** By id. Undefined if one of them no longer exists. */
  async open(heads: readonly SegmentHead[]): Promise<ReadonlyMap<number, PackedSegment | null> | undefined> {
    const wanted = new Set(heads.map(({ id }) => id));
    for (const id of this.#views.keys()) if (!wanted.has(id)) this.#views.delete(id);
    for (const ids of batchesOf(heads.filter(({ id }) => !this.#views.has(id)))) await this.#read(ids);
    return heads.every(({ id }) => this.#views.has(id)) ? this.#views : undefined;
  }

  forget(): void {
    this.#views = new Map();
  }

  async #read(ids: readonly number[]): Promise<void> {
    for (const { id, content } of await this.#store.memorySegments(ids))
      this.#views.set(id, openIfSegment(content));
  }
}

function batchesOf(heads: readonly SegmentHead[]): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let size = AT_ONCE;
  for (const head of heads) {
    size += sizeOf(head);
    if (size > AT_ONCE) {
      batches.push([]);
      size = sizeOf(head);
    }
    batches.at(-1)?.push(head.id);
  }
  return batches;
}
