/** Rebuilds data derived from memories: segments of the word index, and embeddings. Words never change. */
import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import { fillVectors } from "../embed-memories.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { MemoryIndexer, type MemorySegmentMaker } from "../recall/index/memory-indexer.ts";
import type { MemoryRepair } from "./memory-problem.ts";

interface RepairUse extends Pick<MemoryDependencies, "store" | "embedder" | "log"> {
  readonly segments: MemorySegmentMaker;
}

export async function repairMemories(repairs: readonly MemoryRepair[], use: RepairUse): Promise<void> {
  const segments = repairs.filter((repair) => repair.kind === "remake-segment");
  const vectors = repairs.filter((repair) => repair.kind === "remake-vectors");
  for (const { segment } of segments) await dropSegment(use.store, segment);
  if (segments.length > 0) await new MemoryIndexer(use.store, use.segments).catchUp();
  for (const [model, broken] of Map.groupBy(vectors, (repair) => repair.model))
    await use.store.commit([{ kind: "drop-vectors", model, refs: broken.flatMap(({ ref }) => ref ?? []) }]);
  if (vectors.length > 0) await embedAgain(use);
}

async function dropSegment(store: MemoryStore, segment: number): Promise<void> {
  try {
    await store.commit([{ kind: "memory-index", replaces: [segment], segment: null }]);
  } catch (error) {
    // A concurrent merge or erasure removed it.
    if (!isPalimpsestError(error, "busy")) throw error;
  }
}

/** A memory without an embedding is found by its words, and is embedded with the next memory that is stored. */
async function embedAgain({ store, embedder, log }: RepairUse): Promise<void> {
  if (embedder === null) return;
  try {
    await fillVectors(store, embedder);
  } catch (error) {
    log.warn({ model: embedder.model, problem: messageOf(error) }, "memories are embedded later");
  }
}
