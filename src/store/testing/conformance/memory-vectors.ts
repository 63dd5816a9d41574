import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { EVERY_SCOPE, type MemoryStore, type NearestQuery } from "../../memory-store.ts";
import type { Store } from "../../store.ts";
import { AT } from "../sample.ts";
import { remember, sampleForget, sampleMemory, sampleRemember, sampleRevise } from "../sample-memory.ts";
import { clusteredVectors, cosine, unitVector } from "../sample-vectors.ts";
import type { StoreInUse, StoreUnderTest } from "./store-in-use.ts";

const MANY = 3_000;

export function describeMemoryVectors(use: StoreInUse): void {
  describe("vectors of memories", () => {
    let store: MemoryStore;
    let scopes = 0;
    const newScope = () => `project:vectors-${++scopes}`;

    beforeAll(() => {
      store = use.store.memoriesOf({ tenant: "vectors", scopes: EVERY_SCOPE });
    });

    const nearest = async (query: Partial<NearestQuery> & Pick<NearestQuery, "model" | "vector">) =>
      (await store.nearestMemories({ limit: 10, ...query })).map(({ ref, cosine }) => [
        ref.number,
        Number(cosine.toFixed(3)),
      ]);

    it("are read as they were written, those of each model apart", async () => {
      const scope = newScope();
      const [one, two] = [[unitVector(1, 8), unitVector(2, 8)], [unitVector(3, 16)]];
      const memory = await remember(store, sampleMemory(scope), { vectors: { model: "one", vectors: one } });
      const bare = await remember(store, sampleMemory(scope));
      const [mine, other] = [memory, bare].map(({ number }) => ({ scope, number }));
      if (mine === undefined || other === undefined) throw new Error("two refs");
      await store.commit([{ kind: "vectors", ref: mine, vectors: { model: "two", vectors: two } }]);
      expect(await store.memoryVectors("one", [other, mine, { scope, number: 99 }])).toEqual([[], one, []]);
      expect(await store.memoryVectors("two", [mine])).toEqual([two]);
      const replaced = [unitVector(4, 8)];
      await store.commit([{ kind: "vectors", ref: mine, vectors: { model: "one", vectors: replaced } }]);
      expect(await store.memoryVectors("one", [mine])).toEqual([replaced]);
      expect(await store.memoryVectors("two", [mine])).toEqual([two]);
      const [gone] = await store.commit([
        { kind: "vectors", ref: { scope, number: 99 }, vectors: { model: "one", vectors: replaced } },
      ]);
      expect(gone).toEqual({ kind: "vectors", written: false });
      const longer = store.commit([{ kind: "vectors", ref: other, vectors: { model: "one", vectors: two } }]);
      await expect(longer).rejects.toSatisfy((error) => isPalimpsestError(error, "invalid-input"));
      const only = use.store.memoriesOf({ tenant: "vectors", scopes: [scope] });
      expect(await only.vectorCounts()).toEqual([
        { model: "one", dimensions: 8, memories: 1, vectors: 1 },
        { model: "two", dimensions: 16, memories: 1, vectors: 1 },
      ]);
      expect((await only.memoriesWithoutVectors("one", 10)).map(({ id }) => id)).toEqual([bare.id]);
      expect((await only.memoriesWithoutVectors("three", 1)).map(({ id }) => id)).toEqual([memory.id]);
    });

    it("of other models are pruned where a memory has some of the one that is kept, and nowhere else", async () => {
      const scope = newScope();
      const only = use.store.memoriesOf({ tenant: "vectors", scopes: [scope] });
      const [old, older, kept] = [unitVector(1, 8), unitVector(2, 16), unitVector(3, 8)];
      const oneOf = (model: string, ...vectors: Float32Array[]) => ({ model, vectors });
      const both = await remember(store, sampleMemory(scope), { vectors: oneOf("old", old, kept) });
      const bare = await remember(store, sampleMemory(scope), { vectors: oneOf("old", old) });
      const refs = [both, bare, { scope, number: 99 }].map(({ number }) => ({ scope, number }));
      await store.commit([
        { kind: "vectors", ref: both, vectors: oneOf("older", older) },
        { kind: "vectors", ref: both, vectors: oneOf("kept", kept) },
      ]);
      const prune = (keep: string) => ({ kind: "prune-vectors" as const, keep, refs });
      expect(await only.commit([prune("unknown")])).toEqual([{ kind: "prune-vectors", vectors: 0 }]);
      const elsewhere = use.store.memoriesOf({ tenant: "vectors", scopes: [newScope()] });
      expect(await elsewhere.commit([prune("kept")])).toEqual([{ kind: "prune-vectors", vectors: 0 }]);
      expect(await only.commit([prune("kept")])).toEqual([{ kind: "prune-vectors", vectors: 3 }]);
      expect(await only.vectorCounts()).toEqual([
        { model: "kept", dimensions: 8, memories: 1, vectors: 1 },
        { model: "old", dimensions: 8, memories: 1, vectors: 1 },
      ]);
      const query = { vector: old, scopes: [scope] };
      expect(await nearest({ ...query, model: "old" })).toEqual([[bare.number, 1]]);
      expect(await nearest({ ...query, model: "older", vector: older })).toEqual([]);
      expect(await only.memoryFaults()).toEqual([]);
      await store.commit([{ kind: "vectors", ref: both, vectors: oneOf("older", older) }]);
      expect(await nearest({ ...query, model: "older", vector: older })).toEqual([[both.number, 1]]);
    });

    it("are measured by the nearest passage, for memories that are named", async () => {
      const scope = newScope();
      const [far, near, question] = [unitVector(1, 8), unitVector(2, 8), unitVector(3, 8)];
      const both = { model: "measured", vectors: [far, near] };
      const { number } = await remember(store, sampleMemory(scope), { vectors: both });
      const bare = await remember(store, sampleMemory(scope));
      const refs = [bare.number, number, 99].map((each) => ({ scope, number: each }));
      const nearer = Math.max(cosine(far, question), cosine(near, question));
      const [none, measured, unknown] = await store.memoryCosines("measured", question, refs);
      expect([none, unknown]).toEqual([null, null]);
      expect(measured).toBeCloseTo(nearer, 6);
      expect(await store.memoryCosines("measured", unitVector(3, 16), refs)).toEqual([null, null, null]);
      expect(await store.memoryCosines("another", question, refs)).toEqual([null, null, null]);
      const elsewhere = use.store.memoriesOf({ tenant: "vectors", scopes: [newScope()] });
      expect(await elsewhere.memoryCosines("measured", question, refs)).toEqual([null, null, null]);
    });

    it("are the caller's own afterwards: what it handed in is still there", async () => {
      const vector = unitVector(5, 8);
      await remember(store, sampleMemory(newScope()), { vectors: { model: "one", vectors: [vector] } });
      expect(vector).toEqual(unitVector(5, 8));
    });

    it("find the nearest, a memory once by its nearest passage", async () => {
      const scope = newScope();
      const at = (degrees: number) =>
        Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
      const angles = [[80, 10], [20], [60, 61], [20], [170]];
      await store.commit(
        angles.map((passages) =>
          sampleRemember(sampleMemory(scope), { vectors: { model: "plane", vectors: passages.map(at) } }),
        ),
      );
      const query = { model: "plane", vector: at(0), scopes: [scope] };
      const expected = [
        [1, 0.985],
        [2, 0.94],
        [4, 0.94],
        [3, 0.5],
        [5, -0.985],
      ];
      expect(await nearest(query)).toEqual(expected);
      expect(await nearest({ ...query, limit: 2 })).toEqual(expected.slice(0, 2));
      expect(await nearest({ ...query, least: 0.9 })).toEqual(expected.slice(0, 3));
      expect(await nearest({ ...query, model: "unknown" })).toEqual([]);
      expect(await nearest({ ...query, limit: 0 })).toEqual([]);
    });

    it("find what is in force, and others only when their state is named", async () => {
      const scope = newScope();
      const vectors = { model: "states", vectors: [unitVector(1, 32)] };
      const memories = Array.from({ length: 4 }, () => sampleMemory(scope));
      await store.commit(memories.map((memory) => sampleRemember(memory, { vectors })));
      const [first, second, third] = memories.map(({ id }) => id);
      await store.commit([
        sampleRevise(first ?? "", { archivedAt: AT }),
        sampleRemember(sampleMemory(scope), { supersedes: [second ?? ""] }),
        sampleForget([third ?? ""]),
      ]);
      const query = { model: "states", vector: unitVector(1, 32), scopes: [scope] };
      expect(await nearest(query)).toEqual([[4, 1]]);
      expect(await nearest({ ...query, states: ["archived"] })).toEqual([[1, 1]]);
      expect(await nearest({ ...query, states: ["superseded", "active"] })).toEqual([
        [2, 1],
        [4, 1],
      ]);
      expect(await nearest({ ...query, states: ["erased"] })).toEqual([]);
      expect(await nearest({ ...query, states: [] })).toEqual([]);
    });

    it("are found at once after they were added, replaced or erased, also by another process", async () => {
      const scope = newScope();
      const other = await use.place.open();
      const theirs = other.memoriesOf(store.access);
      const vectorsOf = (seed: number) => ({ model: "live", vectors: [unitVector(seed, 32)] });
      const query = (seed: number) => ({
        model: "live",
        vector: unitVector(seed, 32),
        scopes: [scope],
        least: 0.99,
      });
      try {
        expect(await nearest(query(1))).toEqual([]);
        await remember(theirs, sampleMemory(scope), { vectors: vectorsOf(1) });
        expect(await nearest(query(1))).toEqual([[1, 1]]);
        await theirs.commit([{ kind: "vectors", ref: { scope, number: 1 }, vectors: vectorsOf(2) }]);
        expect(await nearest(query(1))).toEqual([]);
        expect(await nearest(query(2))).toEqual([[1, 1]]);
        const { id } = await remember(store, sampleMemory(scope), { vectors: vectorsOf(2) });
        expect(await nearest(query(2))).toEqual([
          [1, 1],
          [2, 1],
        ]);
        await theirs.commit([sampleForget([id])]);
        expect(await nearest(query(2))).toEqual([[1, 1]]);
      } finally {
        await other.close();
      }
    });

    describe("of many memories", () => {
      let store: MemoryStore;
      const scope = "project:many";
      const vectors = clusteredVectors({ count: MANY, clusters: 30, dimensions: 384, seed: 7 });

      let place: StoreUnderTest;
      let opened: Store;
      const access = { tenant: "vectors", scopes: EVERY_SCOPE } as const;

      // In a separate store, so that later tests do not have to include them.
      beforeAll(async () => {
        place = await use.create();
        opened = await place.open();
        store = opened.memoriesOf(access);
        for (let from = 0; from < MANY; from += 500)
          await store.commit(
            vectors
              .slice(from, from + 500)
              .map((vector) =>
                sampleRemember(sampleMemory(scope), { vectors: { model: "many", vectors: [vector] } }),
              ),
          );
      });

      afterAll(async () => {
        await opened.close();
        await place.dispose();
      });

      const exact = (query: Float32Array, isWanted: (number: number) => boolean = () => true) =>
        vectors
          .map((vector, index) => ({ number: index + 1, cosine: cosine(query, vector) }))
          .filter(({ number }) => isWanted(number))
          .toSorted((a, b) => b.cosine - a.cosine || a.number - b.number)
          .slice(0, 10)
          .map(({ number }) => number);

      const found = async (vector: Float32Array, more: Partial<NearestQuery> = {}) =>
        (await store.nearestMemories({ model: "many", vector, limit: 10, ...more })).map(
          ({ ref }) => ref.number,
        );

      it("find at least 99 of 100 of the ten nearest, the same every time", async () => {
        const queries = clusteredVectors({ count: 50, clusters: 30, dimensions: 384, seed: 7, skip: MANY });
        let hits = 0;
        for (const query of queries) {
          const answer = await found(query);
          const wanted = new Set(exact(query));
          hits += answer.filter((number) => wanted.has(number)).length;
          expect(await found(query)).toEqual(answer);
        }
        expect(hits / (queries.length * 10)).toBeGreaterThanOrEqual(0.99);
      });

      it("look further when most of the nearest are not in force", async () => {
        const query = vectors[0] ?? unitVector(0, 384);
        const isNear = (number: number) => cosine(query, vectors[number - 1] ?? query) > 0.05;
        const refs = vectors.map((_, index) => ({ scope, number: index + 1 }));
        const memories = await store.memoriesAt(refs);
        const near = memories.filter(
          ({ number }) => number % 100 !== 1 && (isNear(number) || number % 3 === 0),
        );
        expect(near.length).toBeGreaterThan(1_000);
        await store.commit(near.map(({ id }) => sampleRevise(id, { archivedAt: AT })));
        const archived = new Set(near.map(({ number }) => number));
        expect(await found(query)).toEqual(exact(query, (number) => !archived.has(number)));
        const inArchive = await found(query, { states: ["archived"] });
        expect(inArchive).toEqual(exact(query, (number) => archived.has(number)));
      });

      it("are still found after a restart and in another scope's shadow", async () => {
        const lonely = newScope();
        const vector = unitVector(99, 384);
        await remember(store, sampleMemory(lonely), { vectors: { model: "many", vectors: [vector] } });
        await opened.close();
        opened = await place.open();
        store = opened.memoriesOf(access);
        const query = vectors[5] ?? vector;
        expect(await found(query, { scopes: [lonely] })).toEqual([1]);
        expect(await found(vector, { limit: 1 })).toEqual([1]);
      });
    });
  });
}
