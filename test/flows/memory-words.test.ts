import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Compute } from "../../src/compute/compute.ts";
import { SILENT } from "../../src/log.ts";
import { checkMemoryIndex } from "../../src/memory/recall/index/check-memory-index.ts";
import { MemoryIndexer, type MemorySegmentMaker } from "../../src/memory/recall/index/memory-indexer.ts";
import { MemoryWords } from "../../src/memory/recall/index/memory-words.ts";
import { wordQuery } from "../../src/memory/recall/index/word-query.ts";
import { bruteForceWords } from "../../src/memory/testing/brute-force-words.ts";
import { EVERY_SCOPE, type MemoryStore, type StoredMemory } from "../../src/store/memory-store.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { sampleForget, sampleMemory, sampleRemember } from "../../src/store/testing/sample-memory.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

const WORDS = "retry limit retries harbour ships cargo 温度 水の温度 café tests testing the decided".split(
  " ",
);
const STATES = ["active", "superseded", "archived", "erased"] as const;

function openAt({ engine, store }: Place): Promise<Store> {
  return openStore({ dataDir: store, databaseUrl: engine === "postgres" ? store : null });
}

describe.each(["sqlite"] as const)("the word index of memories on %s", (name) => {
  let place: Place;
  let store: Store;
  let memories: MemoryStore;
  let compute: Compute;
  let maker: MemorySegmentMaker;

  beforeEach(async () => {
    place = await temporaryPlace(name);
    store = await openAt(place);
    memories = store.memoriesOf({ tenant: "t", scopes: EVERY_SCOPE });
    compute = new Compute(SILENT);
    maker = compute.memorySegments;
  });
  afterEach(async () => {
    await compute.close();
    await store.close();
    await place.dispose();
  });

  async function add(count: number, from: number, scope = "global"): Promise<readonly string[]> {
    const writes = Array.from({ length: count }, (_, i) => {
      const words = [0, 1, 2].map((k) => WORDS[((from + i) * (k + 3) + k) % WORDS.length]);
      return sampleRemember(sampleMemory(scope, { abstract: words.join(" "), tags: [`tag${from + i}`] }));
    });
    await memories.commit(writes);
    return writes.map(({ memory }) => memory.id);
  }

  async function every(): Promise<readonly StoredMemory[]> {
    return (await memories.memories({ states: STATES, limit: 1_000 })).rows;
  }

  async function expectLikeBruteForce(words: MemoryWords, question: string): Promise<void> {
    const { hits } = await words.search(wordQuery(question), { limit: 1_000 });
    const expected = bruteForceWords(await every(), question).filter(
      ({ plain, stemmed }) => plain + stemmed > 0,
    );
    expect(hits).toHaveLength(expected.length);
    for (const { scope, number, plain, stemmed } of expected) {
      const hit = hits.find(({ ref }) => ref.scope === scope && ref.number === number);
      expect(hit?.plain).toBeCloseTo(plain, 9);
      expect(hit?.stemmed).toBeCloseTo(stemmed, 9);
    }
  }

  it("finds everything at every moment: unindexed, indexed, merged, erased and indexed again", async () => {
    const indexer = new MemoryIndexer(memories, maker);
    const words = new MemoryWords({ store: memories, maker, indexer: null });
    const [erased = ""] = await add(100, 0);
    await add(30, 0, "user:u");
    await expectLikeBruteForce(words, "retrying 温度");
    for (let i = 1; i < 5; i++) {
      await indexer.catchUp();
      await add(40, 100 * i);
      await expectLikeBruteForce(words, `harbour test tag${100 * i}`);
    }
    await memories.commit([sampleForget([erased])]);
    await expectLikeBruteForce(words, "the limits of tag0");
    await indexer.catchUp();
    await expectLikeBruteForce(words, "水");
    expect((await memories.memoryIndex()).unindexed).toEqual([]);
    expect(await checkMemoryIndex(memories, maker)).toEqual([]);
  });

  it("stays whole when two processes index while a third one searches", async () => {
    await add(300, 0);
    const words = new MemoryWords({ store: memories, maker, indexer: null });
    const two = await openAt(place);
    const other = two.memoriesOf({ tenant: "t", scopes: EVERY_SCOPE });
    const indexing = [memories, other].map(async (own) => {
      for (let i = 0; i < 6; i++) {
        await own.commit([sampleRemember(sampleMemory(`user:${i}`, { abstract: "harbour" }))]);
        await new MemoryIndexer(own, maker).catchUp();
      }
    });
    for (let i = 0; i < 10; i++) {
      const { hits } = await words.search(wordQuery("tag7"), { limit: 5 });
      expect(hits.map(({ ref }) => ref.number)).toEqual([8]);
    }
    await Promise.all(indexing);
    await expectLikeBruteForce(words, "harbour");
    expect(await checkMemoryIndex(other, maker)).toEqual([]);
    await two.close();
  });

  it("weighs words by what the holder can see, and finds nothing else", async () => {
    await add(20, 0, "user:a");
    await add(20, 0, "user:b");
    const own = store.memoriesOf({ tenant: "t", scopes: ["user:a"] });
    const found = await new MemoryWords({ store: own, maker, indexer: null }).search(
      wordQuery("tag3 harbour"),
      {
        limit: 100,
      },
    );
    expect(found.statistics.documents).toBe(20);
    expect(new Set(found.hits.map(({ ref }) => ref.scope))).toEqual(new Set(["user:a"]));
  });

  it("is brought up to date by a search that finds much unindexed", async () => {
    await add(1_100, 0);
    const indexer = new MemoryIndexer(memories, maker);
    await new MemoryWords({ store: memories, maker, indexer }).search(wordQuery("tag3"), { limit: 1 });
    expect((await memories.memoryIndex()).unindexed).toEqual([]);
  });
});
