/**
 * Embedders of earlier models: after a change of the model, memories are found with their old embeddings
 * until they have new ones. Checked again only while some are missing.
 */
import type { Embedder } from "../../model/embed/embedder.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";

type Use = Pick<MemoryDependencies, "store" | "embedder" | "reopenEmbedder" | "clock">;

const LOOK_AGAIN_MS = 30_000;
/** Maximum memories without embeddings of the current model that are checked, oldest first. */
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

  /** Called after new embeddings: the next recall checks again what is missing. */
  lookAgain(): void {
    this.#lookAt = 0;
  }

  async close(): Promise<void> {
    for (const embedder of this.#opened.values()) await embedder?.close();
  }

  /** Embedders of memories that the current one has not embedded yet. The oldest memories are embedded first. */
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

/** The current embedder under an earlier name, if both are comparable. Its owner closes it. */
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
