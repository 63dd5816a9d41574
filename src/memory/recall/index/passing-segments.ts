/**
 * Unindexed memories, indexed and kept in memory: a memory is read once, even if there are many searches
 * before it is indexed persistently. An erased memory counts here until `forget` or until it is indexed, but it is
 * never found, because loading it fails.
 */

import { PackedSegment } from "../../../search/index/packed-segment.ts";
import type { MemoryRun } from "../../../store/memory-store.ts";
import { chooseMerge, joined } from "./choose-merge.ts";
import type { IndexStore } from "./index-store.ts";
import type { MemorySegmentMaker } from "./memory-indexer.ts";
import { readDocuments } from "./read-documents.ts";
import type { PlacedSegment } from "./word-search.ts";

interface Piece extends PlacedSegment {
  readonly content: Uint8Array;
}

/** Maximum memories that are read and packed at once. */
const MOST_DOCUMENTS = 4_096;

export class PassingSegments {
  readonly #store: IndexStore;
  readonly #maker: MemorySegmentMaker;
  #pieces: readonly Piece[] = [];

  constructor(store: IndexStore, maker: MemorySegmentMaker) {
    this.#store = store;
    this.#maker = maker;
  }

  async open(runs: readonly MemoryRun[]): Promise<readonly PlacedSegment[]> {
    const kept = this.#pieces.filter((piece) => runs.some((run) => holds(run, piece)));
    const pieces = [...kept];
    for (const gap of runs.flatMap((run) => gapsIn(run, kept))) pieces.push(await this.#build(gap));
    this.#pieces = await this.#merged(pieces);
    return this.#pieces;
  }

  forget(): void {
    this.#pieces = [];
  }

  async #build(run: MemoryRun): Promise<Piece> {
    const { documents } = await readDocuments(this.#store, run);
    return placed(run, await this.#maker.build(documents));
  }

  async #merged(pieces: readonly Piece[]): Promise<readonly Piece[]> {
    let left = pieces;
    for (;;) {
      const chosen = chooseMerge(left);
      if (chosen.length === 0) return left;
      const content = await this.#maker.merge(chosen.map((piece) => piece.content));
      const merged = placed(joined(chosen), content);
      left = [...left.filter((piece) => !chosen.includes(piece)), merged];
    }
  }
}

function placed({ scope, first, last }: MemoryRun, content: Uint8Array): Piece {
  return { scope, first, last, content, view: new PackedSegment(content) };
}

function holds(run: MemoryRun, piece: MemoryRun): boolean {
  return run.scope === piece.scope && run.first <= piece.first && piece.last <= run.last;
}

/** Numbers of a run that no piece contains, in runs of limited length. */
function gapsIn(run: MemoryRun, pieces: readonly MemoryRun[]): readonly MemoryRun[] {
  const gaps: MemoryRun[] = [];
  let first = run.first;
  const own = pieces.filter((piece) => holds(run, piece)).toSorted((a, b) => a.first - b.first);
  for (const { first: until, last } of [...own, { first: run.last + 1, last: run.last }]) {
    for (; first < until; first += MOST_DOCUMENTS)
      gaps.push({ scope: run.scope, first, last: Math.min(until, first + MOST_DOCUMENTS) - 1 });
    first = last + 1;
  }
  return gaps;
}
