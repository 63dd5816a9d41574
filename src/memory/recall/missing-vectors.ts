/** Meaning was asked for, but memories without vectors can be found by their words only: that is said, with what helps. */
import type { MemoryStore } from "../../store/memory-store.ts";
import { counted } from "../../text/counted.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { PoolEntry, QuestionVector } from "./gather-pool.ts";

/** The whole store is counted only where nothing was found at all. */
export async function noteMissingVectors(
  vectors: readonly QuestionVector[],
  found: readonly PoolEntry[],
  { store, embedder }: Pick<MemoryDependencies, "store" | "embedder">,
): Promise<readonly string[]> {
  const present = vectors.find(({ model }) => model === embedder?.model);
  if (present === undefined) return [];
  const missing =
    found.length === 0
      ? await missingIn(store, present.model)
      : found.filter(({ cosine }) => cosine === null).length;
  if (missing === 0) return [];
  const which = counted(missing, "memory has", "memories have");
  const those = found.length === 0 ? "" : " of those that may be meant";
  return [
    `${which} no vectors of ${present.model} yet${those}, so only words were compared: lcm memory reembed makes them.`,
  ];
}

async function missingIn(store: MemoryStore, model: string): Promise<number> {
  const [{ byState }, vectors] = await Promise.all([store.memoryCounts(), store.vectorCounts()]);
  const made = vectors.find((one) => one.model === model)?.memories ?? 0;
  return Math.max(0, byState.active + byState.superseded + byState.archived - made);
}
