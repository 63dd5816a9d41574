/** The search index of messages and summaries: their words, and their embeddings. Both are kept up to date in the background. */
import { PalimpsestError } from "../errors.ts";
import type { IndexOptions } from "../search/index/segment-indexer.ts";
import type { ScopedStore } from "../store/store.ts";
import { requireInput } from "./require-input.ts";
import type { MessageIndexer } from "./retrieve/index/message-indexer.ts";
import type { EmbedOptions, MessageEmbedder } from "./retrieve/meaning/message-embedder.ts";

/** How many messages have embeddings. */
interface EmbeddingState {
  /** The embedding model. */
  readonly model: string;
  /** Messages with embeddings of it, and the number of embeddings. */
  readonly embedded: number;
  readonly vectors: number;
  /** Messages not processed yet. */
  readonly notEmbedded: number;
}

export class ContextIndex {
  readonly #store: ScopedStore;
  readonly #indexer: MessageIndexer;
  readonly #embedder: MessageEmbedder | null;

  constructor(store: ScopedStore, indexer: MessageIndexer, embedder: MessageEmbedder | null) {
    this.#store = store;
    this.#indexer = indexer;
    this.#embedder = embedder;
  }

  /** Updates the search index now. A search also does this as far as it needs to. */
  async build(options: IndexOptions = {}): Promise<number> {
    requireInput("index.build", options);
    return this.#indexer.catchUp(options);
  }

  /**
   * Makes the missing embeddings of messages now. This also happens in the background; where it is stopped, it resumes.
   * Returns how many messages were processed.
   */
  async embed(options: EmbedOptions = {}): Promise<number> {
    requireInput("index.embed", options);
    if (this.#embedder === null) throw notByMeaning();
    return this.#embedder.catchUp(options);
  }

  /** How many messages have embeddings; null where messages are not searched semantically. */
  async embeddings(): Promise<EmbeddingState | null> {
    if (this.#embedder === null) return null;
    const { model } = this.#embedder.embedder;
    const [counts, notEmbedded] = await Promise.all([
      this.#store.messageVectorCounts(),
      this.#embedder.waiting(),
    ]);
    const own = counts.find((one) => one.model === model);
    return { model, embedded: own?.messages ?? 0, vectors: own?.vectors ?? 0, notEmbedded };
  }
}

function notByMeaning(): PalimpsestError {
  return new PalimpsestError("not-supported", "semantic search of messages is off", {
    advice:
      "Enable it with: lcm config set searchByMeaning true, then run: lcm embed. embeddingModel must not be off.",
  });
}
