/** Maintenance of a memory by an operator: count, consolidate, embed again, index, verify and repair. */
import type { MemoryCounts, VectorCount } from "../store/memory-store.ts";
import { parseGiven, requireGiven, requireList, whileRunning } from "../text/given.ts";
import type { ConsolidateInput, ConsolidateReport } from "./forget/consolidate-memories.ts";
import { consolidateInput, indexInput, reembedInput, repairInput, verifyInput } from "./inputs.ts";
import type { MemoryWork } from "./memory-work.ts";
import { type ReembedOptions, type ReembedReport, reembed } from "./remember/reembed.ts";
import type { MemoryRepair, MemoryReport } from "./verify/memory-problem.ts";
import { repairMemories } from "./verify/repair-memories.ts";
import { type VerifyMemoriesOptions, verifyMemories } from "./verify/verify-memories.ts";

const consolidateCall = consolidateInput.extend(whileRunning);
const reembedCall = reembedInput.extend(whileRunning);

export interface MemoryStats extends MemoryCounts {
  readonly vectors: readonly VectorCount[];
  /** The model of new embeddings; null without an embedder. */
  readonly embeddingModel: string | null;
  /** Memories that are not in a segment of the word index yet. Recall finds them too. */
  readonly unindexed: number;
}

export class MemoryMaintenance {
  readonly #use: MemoryWork;

  constructor(use: MemoryWork) {
    this.#use = use;
  }

  async stats(): Promise<MemoryStats> {
    const { store, embedder } = this.#use;
    const [counts, vectors, index] = await Promise.all([
      store.memoryCounts(),
      store.vectorCounts(),
      store.memoryIndex(),
    ]);
    const unindexed = index.unindexed.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return { ...counts, vectors, embeddingModel: embedder?.model ?? null, unindexed };
  }

  /** Archives duplicates, and moves memories between tiers. */
  async consolidate(input: ConsolidateInput = {}): Promise<ConsolidateReport> {
    requireGiven("maintenance.consolidate", consolidateCall, input);
    const { consolidateMemories } = await import("./forget/consolidate-memories.ts");
    return consolidateMemories(input, this.#use);
  }

  /**
   * Computes missing embeddings of the configured model. Those of other models are used until then, and
   * are kept unless `prune` is set.
   */
  async reembed(options: ReembedOptions = {}): Promise<ReembedReport> {
    requireGiven("maintenance.reembed", reembedCall, options);
    try {
      return await reembed(options, this.#use);
    } finally {
      this.#use.older.lookAgain();
    }
  }

  /** Brings the word index up to date now. A search does so itself, as far as necessary. */
  async index(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<number> {
    requireGiven("maintenance.index", indexInput, options);
    return this.#use.indexer.catchUp(options);
  }

  /** Checks memories for consistency, and embeddings and index against them. */
  async verify(options: VerifyMemoriesOptions): Promise<MemoryReport> {
    requireGiven("maintenance.verify", verifyInput, options);
    return verifyMemories(this.#use, options);
  }

  /** Applies the repairs that `verify` reports. */
  async repair(repairs: readonly MemoryRepair[]): Promise<void> {
    requireList("maintenance.repair", "repairs", repairs);
    parseGiven("maintenance.repair", repairInput, repairs);
    await repairMemories(repairs, this.#use);
  }
}
