/**
 * Embedders whose vectors still serve: after a change of the model, memories are found by the vectors that they have
 * until they have new ones. Looked up again only while some are missing.
 */
import type { Embedder } from "../../model/embed/embedder.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";

type Use = Pick<MemoryDependencies, "store" | "embedder" | "reopenEmbedder" | "clock">;

const LOOK_AGAIN_MS = 30_000;

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

  async close(): Promise<void> {
    for (const embedder of this.#opened.values()) await embedder?.close();
  }

  /** Those that have vectors of more memories than the present one. */
  async #look({ model }: Embedder): Promise<readonly Embedder[]> {
    const counts = await this.#use.store.vectorCounts();
    const present = counts.find((one) => one.model === model)?.memories ?? 0;
    return counts
      .filter((one) => one.model !== model && one.memories > present)
      .flatMap((one) => this.#open(one.model) ?? []);
  }

  #open(model: string): Embedder | null {
    const known = this.#opened.get(model);
    if (known !== undefined) return known;
    const opened = this.#use.reopenEmbedder(model);
    this.#opened.set(model, opened);
    return opened;
  }
}
