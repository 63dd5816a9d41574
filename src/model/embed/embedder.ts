/**
 * Turns texts into vectors that are similar if the texts have similar meanings. Every vector has length 1,
 * so that a dot product is their similarity.
 *
 * An `Embedder` reads at most `longestInput` of a text and may silently ignore the rest: `passagesOf` splits a
 * text into passages that fit. It throws `PalimpsestError` only: `model-authentication`, `model-unavailable`,
 * `cancelled`, `invalid-input`.
 */
export interface Embedder {
  /**
   * Stored with each vector: vectors can be compared only if it is equal. It names everything that affects
   * them: the model, its dimensions if configured, the engine.
   */
  readonly model: string;
  /** Earlier models whose stored vectors its questions can be compared with, until those are recomputed. */
  readonly comparable: readonly string[];
  /** If not configured, null until the first response. */
  readonly dimensions: number | null;
  /** Maximum tokens of one text, as `passagesOf` estimates them. */
  readonly longestInput: number;
  /** One vector for each text, in their order. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  /** Ends running calls; they fail with `cancelled`. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  /** A query or a passage, which some models embed differently. */
  readonly purpose: EmbedPurpose;
  readonly signal?: AbortSignal | undefined;
}

export type EmbedPurpose = "query" | "passage";

/** A host's embedding function, with the name of its model. */
export interface HostEmbedder {
  readonly model: string;
  readonly dimensions?: number;
  /** Default: 512 tokens. */
  readonly longestInput?: number;
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly ArrayLike<number>[]>;
}
