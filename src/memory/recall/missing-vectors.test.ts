import { expect, it } from "vitest";
import type { Embedder } from "../../model/embed/embedder.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import { noteMissingVectors } from "./missing-vectors.ts";

it("asks the store for nothing where something was found by meaning", async () => {
  const use = { store: untouchable<MemoryStore>(), embedder: { model: "points" } as Embedder };
  const asked = [{ model: "points", values: Float32Array.of(1, 0) }];
  const near = { cosine: 0.9 };
  expect(await noteMissingVectors(asked, [near, near], use)).toEqual([]);
  expect(await noteMissingVectors(asked, [near, { cosine: null }], use)).toEqual([
    expect.stringMatching(/^1 candidate memory has no embedding yet/),
  ]);
  await expect(noteMissingVectors(asked, [], use)).rejects.toThrow("vectorCounts was asked for");
});

function untouchable<T extends object>(): T {
  const get = (_: object, name: string | symbol) => {
    throw new Error(`${String(name)} was asked for`);
  };
  return new Proxy({}, { get }) as T;
}
