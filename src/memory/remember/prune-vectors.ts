/**
 * Removes vectors of former models, of memories in whatever state, once every memory has vectors of the present one.
 * Asked for and never done by itself: two processes with different embedders may share a store, and each would remove
 * what the other searches with.
 */
import { PalimpsestError } from "../../errors.ts";
import type { MemoryStore, MemoryWriteResult } from "../../store/memory-store.ts";
import type { FillOptions } from "../embed-memories.ts";
import { everyPage } from "../every-memory.ts";

/** How many vectors were removed; null, and none was, while a memory has none of the model that is kept. */
export async function pruneVectors(
  store: MemoryStore,
  keep: string,
  { signal, onProgress }: FillOptions = {},
): Promise<number | null> {
  if ((await store.memoriesWithoutVectors(keep, 1)).length > 0) return null;
  let [removed, done] = [0, 0];
  for await (const page of everyPage(store)) {
    if (signal?.aborted === true) throw new PalimpsestError("cancelled", "pruning was cancelled");
    const refs = page.map(({ scope, number }) => ({ scope, number }));
    removed += vectorsOf(await store.commit([{ kind: "prune-vectors", keep, refs }]));
    done += refs.length;
    onProgress?.({ done });
  }
  return removed;
}

function vectorsOf(results: readonly MemoryWriteResult[]): number {
  return results.reduce((sum, result) => sum + (result.kind === "prune-vectors" ? result.vectors : 0), 0);
}
