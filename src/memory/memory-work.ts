/** The shared objects of one agent's memory, built once from its dependencies. */
import { StemmedTexts } from "../search/calibrated/stemmed-texts.ts";
import { fillVectors } from "./embed-memories.ts";
import type { MemoryDependencies } from "./memory-dependencies.ts";
import { MemoryIndexer, type MemorySegmentMaker } from "./recall/index/memory-indexer.ts";
import { MemoryWords } from "./recall/index/memory-words.ts";
import { OlderEmbedders } from "./recall/older-embedders.ts";
import type { RecallDependencies } from "./recall/recall.ts";
import { UseCounter } from "./remember/use-counter.ts";

interface MemoryParts extends MemoryDependencies {
  /** Builds segments of the word index. */
  readonly segments: MemorySegmentMaker;
}

export interface MemoryWork extends RecallDependencies, MemoryParts {
  readonly indexer: MemoryIndexer;
  /** Indexes and embeds in the background; recall is complete without it. */
  readonly followUp: () => void;
  /** Drops cached words. Must be called after an erasure. */
  readonly dropWords: () => void;
}

/** Fewer memories are indexed by the next search, since a separate segment for each would cost a sync per write. */
const WORTH_INDEXING = 64;

export function memoryWork(parts: MemoryParts): MemoryWork {
  const { store, segments: maker } = parts;
  const indexer = new MemoryIndexer(store, maker);
  const words = new MemoryWords({ store, maker, indexer });
  const texts = new StemmedTexts();
  return {
    ...parts,
    words,
    texts,
    indexer,
    uses: new UseCounter(parts),
    older: new OlderEmbedders(parts),
    followUp: () => followUp(parts, indexer),
    dropWords: () => {
      words.forget();
      texts.forget();
    },
  };
}

function followUp({ background, embedder, store, agent }: MemoryParts, indexer: MemoryIndexer): void {
  background?.add(`index memories ${agent}`, async (signal) => {
    await indexer.catchUp({ signal, atLeast: WORTH_INDEXING });
  });
  if (embedder !== null)
    background?.add(`embed memories ${agent}`, async (signal) => {
      await fillVectors(store, embedder, { signal });
    });
}
