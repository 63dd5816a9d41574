/**
 * Texts become vectors: near each other when the texts mean something near. Whoever embeds, every vector has length 1,
 * so that a dot product is their similarity.
 *
 * An `Embedder` reads at most `longestInput` of a text and may ignore the rest without a word: `passagesOf` cuts a
 * text into what it can read. It throws `PalimpsestError` only: `model-authentication`, `model-unavailable`,
 * `cancelled`, `invalid-input`.
 */
export interface Embedder {
  /**
   * What is stored with each vector: vectors can be compared only when theirs is the same. It names whatever changes
   * them: the model, its dimensions where they were chosen, the engine.
   */
  readonly model: string;
  /** Earlier models whose stored vectors its questions can be compared with, until those are made again. */
  readonly comparable: readonly string[];
  /** Null until the first answer where nobody said. */
  readonly dimensions: number | null;
  /** Most tokens of one text, as `passagesOf` estimates them. */
  readonly longestInput: number;
  /** One vector for each text, in their order. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  /** Ends what runs; whoever waits gets `cancelled`. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  /** What is looked for, or what is looked through: some models read the two differently. */
  readonly purpose: EmbedPurpose;
  readonly signal?: AbortSignal | undefined;
}

export type EmbedPurpose = "query" | "passage";

/** A function of the host's that embeds, and what the vectors are known by. */
export interface HostEmbedder {
  readonly model: string;
  readonly dimensions?: number;
  /** Default: 512 tokens. */
  readonly longestInput?: number;
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly ArrayLike<number>[]>;
}
