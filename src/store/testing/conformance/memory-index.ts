import { beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { EVERY_SCOPE, type MemoryIndexWrite, type MemoryStore } from "../../memory-store.ts";
import {
  onlyMemoryResult,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../sample-memory.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeMemoryIndex(use: StoreInUse): void {
  describe("the index of memories", () => {
    let store: MemoryStore;
    let scopes = 0;
    const isBusy = (error: unknown) => isPalimpsestError(error, "busy");

    beforeAll(() => {
      store = use.store.memoriesOf({ tenant: "memory-index", scopes: EVERY_SCOPE });
    });

    /** A scope with so many memories. */
    async function filled(count: number): Promise<{ scope: string; ids: string[] }> {
      const scope = `project:index-${++scopes}`;
      const writes = Array.from({ length: count }, () => sampleRemember(sampleMemory(scope)));
      await store.commit(writes);
      return { scope, ids: writes.map(({ memory }) => memory.id) };
    }

    const segmentOf = (scope: string, first: number, last: number, erased = 0) => ({
      scope,
      first,
      last,
      erased,
      content: new Uint8Array(5_000).fill(first),
    });

    const write = async (segment: MemoryIndexWrite["segment"], replaces: readonly number[] = []) =>
      onlyMemoryResult(await store.commit([{ kind: "memory-index", replaces, segment }]), "memory-index")
        .segment ?? -1;

    async function indexOf(scope: string) {
      const { segments, unindexed } = await use.store
        .memoriesOf({ tenant: "memory-index", scopes: [scope] })
        .memoryIndex();
      return {
        segments: segments.map(({ first, last }) => [first, last]),
        unindexed: unindexed.map(({ first, last }) => [first, last]),
      };
    }

    it("says which memories no segment holds", async () => {
      const { scope } = await filled(10);
      expect(await indexOf(scope)).toEqual({ segments: [], unindexed: [[1, 10]] });
      await write(segmentOf(scope, 4, 6));
      await write(segmentOf(scope, 1, 2));
      expect(await indexOf(scope)).toEqual({
        segments: [
          [4, 6],
          [1, 2],
        ],
        unindexed: [
          [3, 3],
          [7, 10],
        ],
      });
      await write(segmentOf(scope, 3, 3));
      await write(segmentOf(scope, 7, 10));
      expect((await indexOf(scope)).unindexed).toEqual([]);
    });

    it("gives the contents of segments, and merges them", async () => {
      const { scope } = await filled(4);
      const [a, b] = [await write(segmentOf(scope, 1, 2)), await write(segmentOf(scope, 3, 4))];
      const [first] = await store.memorySegments([a, 999_999]);
      expect(first).toEqual({ id: a, scope, first: 1, last: 2, content: new Uint8Array(5_000).fill(1) });
      const merged = await write(segmentOf(scope, 1, 4), [a, b]);
      expect((await store.memorySegments([a, b, merged])).map(({ id }) => id)).toEqual([merged]);
      expect(await indexOf(scope)).toEqual({ segments: [[1, 4]], unindexed: [] });
      expect(await write(null, [merged])).toBe(-1);
      expect(await indexOf(scope)).toEqual({ segments: [], unindexed: [[1, 4]] });
    });

    it("drops the segment of a memory whose tags change, and no other", async () => {
      const { scope, ids } = await filled(4);
      await write(segmentOf(scope, 1, 2));
      await write(segmentOf(scope, 3, 4));
      await store.commit([sampleRevise(ids[1] ?? "", { importance: 0.9 })]);
      expect((await indexOf(scope)).unindexed).toEqual([]);
      await store.commit([sampleRevise(ids[1] ?? "", { tags: ["fresh"] })]);
      expect(await indexOf(scope)).toEqual({ segments: [[3, 4]], unindexed: [[1, 2]] });
    });

    it("refuses what another process was faster with", async () => {
      const { scope, ids } = await filled(5);
      const segment = await write(segmentOf(scope, 2, 3));
      await expect(write(segmentOf(scope, 3, 4))).rejects.toSatisfy(isBusy);
      await expect(write(segmentOf(scope, 1, 5))).rejects.toSatisfy(isBusy);
      await expect(write(segmentOf(scope, 4, 5), [segment + 1_000])).rejects.toSatisfy(isBusy);
      await expect(write(segmentOf(scope, 4, 6))).rejects.toSatisfy((error) =>
        isPalimpsestError(error, "invalid-input"),
      );
      await store.commit([sampleForget(ids.slice(3, 4))]);
      await expect(write(segmentOf(scope, 4, 5, 0))).rejects.toSatisfy(isBusy);
      await write(segmentOf(scope, 4, 5, 1));
      const both = [write(segmentOf(scope, 1, 1)), write(segmentOf(scope, 1, 1))];
      expect((await Promise.allSettled(both)).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
  });
}
