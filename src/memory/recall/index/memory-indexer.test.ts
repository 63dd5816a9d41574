import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../../errors.ts";
import type { MemoryWrite } from "../../../store/memory-store.ts";
import { FakeMemoryStore } from "../../testing/fake-memory-store.ts";
import { INLINE_SEGMENT_MAKER as maker } from "../../testing/inline-segments.ts";
import { buildSegment } from "./build-segment.ts";
import { checkMemoryIndex } from "./check-memory-index.ts";
import { MemoryIndexer } from "./memory-indexer.ts";
import { MemoryWords } from "./memory-words.ts";
import { wordQuery } from "./word-query.ts";

function filled(memories: number, store = new FakeMemoryStore()): FakeMemoryStore {
  for (let i = 0; i < memories; i++) store.add({ abstract: `memory number ${i}`, tags: [`tag${i}`] });
  return store;
}

async function found(store: FakeMemoryStore, question: string): Promise<number[]> {
  const words = new MemoryWords({ store, maker, indexer: null });
  const { hits } = await words.search(wordQuery(question), { limit: 10 });
  return hits.map(({ ref }) => ref.number);
}

/** Another process commits first, this many times. */
class ContendedStore extends FakeMemoryStore {
  refusals = 0;

  override async commit(writes: readonly MemoryWrite[]) {
    if (this.refusals-- > 0) throw new PalimpsestError("busy", "somebody was faster");
    return super.commit(writes);
  }
}

describe("indexing memories", () => {
  it("leaves nothing unindexed, and one segment where four were", async () => {
    const store = new FakeMemoryStore();
    const indexer = new MemoryIndexer(store, maker);
    for (let i = 0; i < 4; i++) {
      filled(10, store);
      expect(await indexer.catchUp()).toBe(10);
    }
    const { segments, unindexed } = await store.memoryIndex();
    expect(unindexed).toEqual([]);
    expect(segments.map(({ first, last }) => [first, last])).toEqual([[1, 40]]);
    expect(await checkMemoryIndex(store, maker)).toEqual([]);
  });

  it("waits until there is enough of it", async () => {
    const store = filled(9);
    const indexer = new MemoryIndexer(store, maker);
    expect(await indexer.catchUp({ atLeast: 10 })).toBe(0);
    filled(1, store);
    expect(await indexer.catchUp({ atLeast: 10 })).toBe(10);
  });

  it("plans again when somebody else was faster, and leaves it to them after a few times", async () => {
    const store = new ContendedStore();
    filled(5, store);
    const indexer = new MemoryIndexer(store, maker);
    store.refusals = 4;
    expect(await indexer.catchUp()).toBe(5);
    filled(1, store);
    store.refusals = 99;
    expect(await indexer.catchUp()).toBe(0);
    expect((await store.memoryIndex()).unindexed).toHaveLength(1);
  });

  it("stops when it is cancelled, and keeps what was done", async () => {
    const store = new FakeMemoryStore();
    for (const scope of ["a", "b", "c"]) store.add({ abstract: "word" }, scope);
    const abort = new AbortController();
    const indexing = new MemoryIndexer(store, maker).catchUp({
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(indexing).rejects.toMatchObject({ code: "cancelled" });
    expect((await store.memoryIndex()).segments).toHaveLength(1);
  });

  it("makes a segment of many without erased words again, and does not find these", async () => {
    const store = filled(30);
    const indexer = new MemoryIndexer(store, maker);
    await indexer.catchUp();
    store.erase({ scope: "global", number: 8 });
    expect(await found(store, "tag7")).toEqual([]);
    await indexer.catchUp();
    expect(await found(store, "tag7")).toEqual([]);
    expect(await found(store, "tag8")).toEqual([9]);
    expect(await checkMemoryIndex(store, maker)).toEqual([]);
  });

  it("merges segments that hold erased memories", async () => {
    const store = new FakeMemoryStore();
    const indexer = new MemoryIndexer(store, maker);
    for (let i = 0; i < 4; i++) {
      filled(3, store);
      store.erase({ scope: "global", number: 3 * i + 2 });
      await indexer.catchUp();
    }
    expect((await store.memoryIndex()).segments).toHaveLength(1);
  });

  it("finds by changed tags, whose segment the store has dropped", async () => {
    const store = filled(5);
    const indexer = new MemoryIndexer(store, maker);
    await indexer.catchUp();
    store.retag({ scope: "global", number: 2 }, ["fresh"]);
    expect(await found(store, "fresh")).toEqual([2]);
    expect(await found(store, "tag1")).toEqual([]);
  });
});

describe("a damaged word index", () => {
  it("is noticed by the check and mended by making it again", async () => {
    const store = filled(20);
    const indexer = new MemoryIndexer(store, maker);
    await indexer.catchUp();
    store.damage((content) => content.map((byte, i) => (i === content.length - 1 ? byte ^ 2 : byte)));
    expect(await checkMemoryIndex(store, maker)).toMatchObject([{ scope: "global", first: 1, last: 20 }]);
    expect(await indexer.rebuild()).toBe(20);
    expect(await checkMemoryIndex(store, maker)).toEqual([]);
  });

  it("is noticed also when it is cut off, or holds the words of others", async () => {
    const store = filled(20);
    await new MemoryIndexer(store, maker).catchUp();
    for (const damaged of [(content: Uint8Array) => content.subarray(0, 30), () => buildSegment([])]) {
      store.damage(damaged);
      expect(await checkMemoryIndex(store, maker)).toHaveLength(1);
    }
  });

  it("is searched without the segments that are cut off or packed by another version", async () => {
    const store = filled(20);
    await new MemoryIndexer(store, maker).catchUp();
    for (const damaged of [(content: Uint8Array) => content.subarray(0, 99), () => Uint8Array.of(1, 2, 3)]) {
      store.damage(damaged);
      expect(await found(store, "tag7")).toEqual([8]);
      expect(await checkMemoryIndex(store, maker)).toHaveLength(1);
    }
  });
});
