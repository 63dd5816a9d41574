import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryRef } from "../../../store/memory-store.ts";
import { type BruteScore, bruteForceWords } from "../../testing/brute-force-words.ts";
import { FakeMemoryStore, type FakeText } from "../../testing/fake-memory-store.ts";
import { INLINE_SEGMENT_MAKER as maker } from "../../testing/inline-segments.ts";
import { checkMemoryIndex } from "./check-memory-index.ts";
import { MemoryIndexer } from "./memory-indexer.ts";
import { MemoryWords } from "./memory-words.ts";
import { wordQuery } from "./word-query.ts";
import type { WordHit } from "./word-search.ts";

const WORDS = (
  "run running runs runner retry retries limit limits the what about decide decided café cafe CAFÉ naïve e\u0301clair " +
  "水 温度 水の温度 犬が好き 고양이 ไทย 🎉 👩‍👩‍👧 x y 7 v2 src/store.ts ﬁne ſtone İstanbul \u0301 don't ΟΔΟΣ 𠮷野家 ー"
).split(" ");
const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
      fc.string({ unit: "grapheme", maxLength: 6 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((words) => words.join(" "));
const memory: fc.Arbitrary<{ text: FakeText; scope: string }> = fc.record({
  text: fc.record({
    abstract: text,
    overview: fc.oneof(fc.constant(""), text),
    content: fc.oneof(fc.constant(""), text),
    tags: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
  }),
  scope: fc.constantFrom("global", "agent:a", "user:ü"),
});
const question = fc.oneof(text, fc.constantFrom(...WORDS), fc.constantFrom("水", "犬", "x", "🎉", "?!", ""));
/** What happens between two memories: nothing, an indexing run with or without merging, an erasure. */
const step = fc.constantFrom("add", "add", "add", "index", "search", "erase");

function wordsOver(store: FakeMemoryStore): MemoryWords {
  return new MemoryWords({ store, maker, indexer: null });
}

/** The best by each score, by a full sort. */
function bestBy(
  scores: readonly BruteScore[],
  name: "plain" | "stemmed",
  limit: number,
): readonly BruteScore[] {
  return scores
    .filter((score) => score[name] > 0)
    .toSorted((a, b) => b[name] - a[name])
    .slice(0, limit);
}

function expectSameScores(hits: readonly WordHit[], scores: readonly BruteScore[]): void {
  for (const hit of hits) {
    const score = scores.find(({ scope, number }) => scope === hit.ref.scope && number === hit.ref.number);
    expect(hit.plain).toBeCloseTo(score?.plain ?? Number.NaN, 9);
    expect(hit.stemmed).toBeCloseTo(score?.stemmed ?? Number.NaN, 9);
    expect(hit.coverage).toBeCloseTo(score?.coverage ?? Number.NaN, 9);
    expect(hit.length).toBe(score?.length);
  }
}

/** Compares scores: equal scores are ordered by number, and sums differ in the last digit. */
function expectBest(hits: readonly WordHit[], scores: readonly BruteScore[], limit: number): void {
  for (const name of ["plain", "stemmed"] as const) {
    const found = hits.map((hit) => hit[name]).toSorted((a, b) => b - a);
    for (const [i, score] of bestBy(scores, name, limit).entries())
      expect(found[i]).toBeCloseTo(score[name], 9);
  }
}

async function expectLikeBruteForce(
  words: MemoryWords,
  store: FakeMemoryStore,
  asked: string,
  limit: number,
): Promise<void> {
  const scores = bruteForceWords(store.every(), asked);
  const found = await words.search(wordQuery(asked), { limit });
  expectSameScores(found.hits, scores);
  expectBest(found.hits, scores, limit);
  const refs = scores.map(({ scope, number }): MemoryRef => ({ scope, number }));
  expectSameScores(await found.scoreAlso(refs), scores);
  expect(found.hits.every(({ plain, stemmed }) => plain > 0 || stemmed > 0)).toBe(true);
}

describe("searching memories by their words", () => {
  it("finds what a computation without an index finds, however memories were indexed and merged", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(memory, step), { minLength: 1, maxLength: 40 }),
        fc.array(question, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 60 }),
        async (steps, questions, limit) => {
          const store = new FakeMemoryStore();
          const words = wordsOver(store);
          const indexer = new MemoryIndexer(store, maker);
          for (const [{ text: own, scope }, what] of steps) {
            const ref = store.add(own, scope);
            if (what === "index") await indexer.catchUp();
            if (what === "search") await words.search(wordQuery("run 水"), { limit });
            if (what === "erase") store.erase({ ...ref, number: Math.ceil(ref.number / 2) });
            if (what === "erase") words.forget();
          }
          for (const asked of questions) await expectLikeBruteForce(words, store, asked, limit);
          expect(await checkMemoryIndex(store, maker)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("gives the same answer to the last bit before and after indexing, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(memory, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        question,
        async (memories, every, asked) => {
          const store = new FakeMemoryStore();
          const indexer = new MemoryIndexer(store, maker);
          for (const [i, { text: own, scope }] of memories.entries()) {
            store.add(own, scope);
            if (i % every === 0) await indexer.catchUp();
          }
          const { hits: inPieces } = await wordsOver(store).search(wordQuery(asked), { limit: 10 });
          await indexer.rebuild();
          const { hits: indexed } = await wordsOver(store).search(wordQuery(asked), { limit: 10 });
          expect(indexed).toEqual(inPieces);
        },
      ),
      { numRuns: 80 },
    );
  });

  it("orders what scores alike by scope and number, and cuts there", async () => {
    const store = new FakeMemoryStore();
    for (const scope of ["b", "a", "b", "a"]) store.add({ abstract: "the same words" }, scope);
    const { hits } = await wordsOver(store).search(wordQuery("same words"), { limit: 3 });
    expect(hits.map(({ ref }) => `${ref.scope}${ref.number}`)).toEqual(["a1", "a2", "b1"]);
  });

  it("looks only into the scopes that are asked for, with weights of all", async () => {
    const store = new FakeMemoryStore();
    store.add({ abstract: "retry limit" }, "a");
    store.add({ abstract: "retry later" }, "b");
    const words = wordsOver(store);
    const all = await words.search(wordQuery("retry limit"), { limit: 10 });
    const some = await words.search(wordQuery("retry limit"), { limit: 10, scopes: ["b"] });
    expect(some.hits).toEqual(all.hits.filter(({ ref }) => ref.scope === "b"));
    expect(some.statistics).toEqual(all.statistics);
    expect(all.statistics.plain.terms.map(({ term, documents }) => [term, documents])).toEqual([
      ["retry", 2],
      ["limit", 1],
    ]);
  });

  it("reads a memory that is not indexed yet once, however often it is searched", async () => {
    const store = new FakeMemoryStore();
    const words = wordsOver(store);
    for (let i = 0; i < 30; i++) {
      store.add({ abstract: `memory ${i}` });
      const { hits } = await words.search(wordQuery(`${i}`), { limit: 1 });
      expect(hits[0]?.ref.number).toBe(i + 1);
    }
    expect(store.reads).toBe(30);
  });

  it("scores what is unknown or has no word of the question with 0", async () => {
    const store = new FakeMemoryStore();
    const ref = store.add({ abstract: "something else" });
    const found = await wordsOver(store).search(wordQuery("retry"), { limit: 5 });
    expect(found.hits).toEqual([]);
    const scored = await found.scoreAlso([{ scope: "nobody", number: 9 }, ref]);
    expect(scored.map(({ plain, stemmed, length }) => [plain, stemmed, length])).toEqual([
      [0, 0, 0],
      [0, 0, 2],
    ]);
  });
});
