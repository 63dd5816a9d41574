import { describe, expect, it } from "vitest";
import type { MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { memoryIdFor, sampleMemory } from "../../store/testing/sample-memory.ts";
import { gatherPool } from "./gather-pool.ts";
import type { MemoryWords } from "./index/memory-words.ts";
import type { WordHit } from "./index/word-search.ts";

const NOW = {
  ...{ scopes: null, categories: null, tags: [], conversations: null, since: null, before: null },
  ...{ at: null, archived: false },
};

describe("gathering what may be an answer", () => {
  it("takes a memory once that is near by the vectors of several models, as near as the present one says", async () => {
    const memories = [1, 2].map(
      (number) =>
        ({
          ...sampleMemory("global", { id: memoryIdFor(`gathered ${number}`) }),
          ...{ number, erasedAt: null, invalidatedAt: null, archivedAt: null },
        }) as unknown as StoredMemory,
    );
    const refs = memories.map(({ scope, number }) => ({ scope, number }));
    const store = {
      nearestMemories: async ({ model }: { model: string }) =>
        refs.map((ref) => ({ ref, cosine: model === "present" ? 0.8 : 0.3 })),
      memoriesAt: async (wanted: readonly { number: number }[]) =>
        wanted.flatMap(({ number }) => memories.filter((memory) => memory.number === number)),
    } as unknown as MemoryStore;
    const unknown = (ref: WordHit["ref"]): WordHit => ({
      ...{ ref, plain: 0, stemmed: 0, coverage: 0, length: 1, createdAt: 0 },
    });
    const words = {
      search: async () => ({
        ...{ hits: [], statistics: {} },
        scoreAlso: async (wanted: readonly WordHit["ref"][]) => wanted.map(unknown),
      }),
    } as unknown as MemoryWords;
    const vectors = ["present", "former"].map((model) => ({ model, values: Float32Array.of(1) }));
    const { entries } = await gatherPool(
      { words: "tea", vectors, wanted: 2, filter: NOW, withNeighbours: false },
      { store, words },
    );
    expect(entries.map(({ memory, cosine }) => [memory.number, cosine])).toEqual([
      [1, 0.8],
      [2, 0.8],
    ]);
  });
});
