/** Updates embeddings after a change of the model: computes missing ones, and removes those of earlier models on request. */

import { PalimpsestError } from "../../errors.ts";
import type { MemoryStore, MemoryWriteResult } from "../../store/memory-store.ts";
import { type FillOptions, fillVectors } from "../embed-memories.ts";
import { everyPage } from "../every-memory.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";

export interface ReembedOptions {
  /** Removes embeddings of all other models once none of this one is missing. Default: they are kept. */
  readonly prune?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ReembedProgress) => void;
}

export interface ReembedProgress {
  readonly step: "embed" | "prune";
  /** Memories that were embedded or checked for embeddings of other models. */
  readonly done: number;
}

export interface ReembedReport {
  /** Number of memories that were embedded. */
  readonly made: number;
  /** Number of removed embeddings of other models. */
  readonly pruned: number;
  /** Why none was removed, if that was requested; null otherwise. */
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
 * Removes embeddings of earlier models, of memories in any state, once every memory has embeddings of the current one.
 * Only on request: two processes with different embedders may share a store, and each would remove
 * the embeddings that the other uses.
 *
 * Returns how many were removed; null, without removing any, while a memory lacks embeddings of the kept model.
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
