/**
 * Embedders whose vectors still serve: after a change of the model, memories are found by the vectors that they have
 * until they have new ones. Looked up again only while some are missing.
 */
import type { Embedder } from "../../model/embed/embedder.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";

type Use = Pick<MemoryDependencies, "store" | "embedder" | "reopenEmbedder" | "clock">;

const LOOK_AGAIN_MS = 30_000;
/** Memories without vectors of the present model that are looked at, the oldest first. */
const LOOKED_AT = 32;

export class OlderEmbedders {
  readonly #use: Use;
  readonly #opened = new Map<string, Embedder | null>();
  #serving: readonly Embedder[] = [];
  #lookAt = 0;

  constructor(use: Use) {
    this.#use = use;
  }

  async serving(): Promise<readonly Embedder[]> {
    const { clock, embedder } = this.#use;
    if (embedder === null || clock() < this.#lookAt) return this.#serving;
    this.#lookAt = Number.POSITIVE_INFINITY;
    this.#serving = await this.#look(embedder);
    if (this.#serving.length > 0) this.#lookAt = clock() + LOOK_AGAIN_MS;
    return this.#serving;
  }

  /** Vectors were made: what is missing now is looked up at the next recall. */
  lookAgain(): void {
    this.#lookAt = 0;
  }

  async close(): Promise<void> {
    for (const embedder of this.#opened.values()) await embedder?.close();
  }

  /** Those that have vectors where the present one has none. The oldest memories get theirs first. */
  async #look({ model }: Embedder): Promise<readonly Embedder[]> {
    const { store } = this.#use;
    const waiting = await store.memoriesWithoutVectors(model, LOOKED_AT);
    if (waiting.length === 0) return [];
    const serving: Embedder[] = [];
    for (const { model: other } of await store.vectorCounts()) {
      const vectors = other === model ? [] : await store.memoryVectors(other, waiting);
      const embedder = vectors.some(({ length }) => length > 0) ? this.#open(other) : null;
      if (embedder !== null) serving.push(embedder);
    }
    return serving;
  }

  #open(model: string): Embedder | null {
    const known = this.#opened.get(model);
    if (known !== undefined) return known;
    const opened = comparableTo(model, this.#use.embedder) ?? this.#use.reopenEmbedder(model);
    this.#opened.set(model, opened);
    return opened;
  }
}

/** The present one under an earlier name, where both can be compared. It is closed by whoever opened it. */
function comparableTo(model: string, embedder: Embedder | null): Embedder | null {
  if (embedder?.comparable.includes(model) !== true) return null;
  const { dimensions, longestInput } = embedder;
  return {
    model,
    comparable: [],
    dimensions,
    longestInput,
    embed: (texts, options) => embedder.embed(texts, options),
    close: async () => {},
  };
}
