/** Vectors after a change of the model: the missing ones are made, and those of former models removed if asked for. */

import { PalimpsestError } from "../../errors.ts";
import type { MemoryStore, MemoryWriteResult } from "../../store/memory-store.ts";
import { type FillOptions, fillVectors } from "../embed-memories.ts";
import { everyPage } from "../every-memory.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";

export interface ReembedOptions {
  /** Then remove vectors of all other models, once none of this one is missing. Default: they stay. */
  readonly prune?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ReembedProgress) => void;
}

export interface ReembedProgress {
  readonly step: "embed" | "prune";
  /** Memories that were embedded, or looked at for vectors of other models. */
  readonly done: number;
}

export interface ReembedReport {
  /** Memories that got vectors. */
  readonly made: number;
  /** Vectors of other models that were removed. */
  readonly pruned: number;
  /** Why none was removed, where that was asked for; null where it was done or not asked for. */
  readonly notPruned: string | null;
}

const NOTHING: ReembedReport = { made: 0, pruned: 0, notPruned: null };

export async function reembed(
  { prune = false, signal, onProgress }: ReembedOptions,
  { embedder, store }: Pick<MemoryDependencies, "embedder" | "store">,
): Promise<ReembedReport> {
  if (embedder === null)
    return prune ? { ...NOTHING, notPruned: "no embedding model is configured" } : NOTHING;
  const optionsOf = (step: ReembedProgress["step"]) => ({
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: ({ done }: { readonly done: number }) => onProgress({ step, done }) }),
  });
  const made = await fillVectors(store, embedder, optionsOf("embed"));
  if (!prune) return { ...NOTHING, made };
  const pruned = await pruneVectors(store, embedder.model, optionsOf("prune"));
  if (pruned !== null) return { made, pruned, notPruned: null };
  return { made, pruned: 0, notPruned: `some memories have no embedding by ${embedder.model} yet` };
}

/**
 * Removes vectors of former models, of memories in whatever state, once every memory has vectors of the present one.
 * Asked for and never done by itself: two processes with different embedders may share a store, and each would remove
 * what the other searches with.
 *
 * How many vectors were removed; null, and none was, while a memory has none of the model that is kept.
 */
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
