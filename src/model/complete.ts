/**
 * The interface of compaction, large files and expansion to a model: instructions and a text in, a text
 * out. A host can pass its own function; the rest of this folder creates one from the configuration.
 *
 * A `Complete` returns the model's text even if it is empty, truncated or far too long: the caller checks
 * it. It throws `PalimpsestError` only: `model-authentication`, `model-unavailable`, `model-limit`, `cancelled`.
 */
const PURPOSES = ["summary", "large-file", "expansion", "memory"] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface CompletionRequest {
  readonly purpose: Purpose;
  readonly system: string;
  readonly prompt: string;
  /** Maximum tokens of the answer. */
  readonly maxTokens: number;
  /** Default: that of the model. Ignored by models without one. */
  readonly temperature?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CompletionResult {
  /** The answer without the model's reasoning. */
  readonly text: string;
  /** The model that answered, as `provider/model`. */
  readonly model: string;
  /** `length`: cut off at `maxTokens`. `other`: stopped by a filter, an error, or any other irregular end. */
  readonly finish: "stop" | "length" | "other";
  readonly usage: CompletionUsage;
}

/** Null if the provider does not report it. */
export interface CompletionUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** In US dollars. */
  readonly cost: number | null;
}

export type Complete = (request: CompletionRequest) => Promise<CompletionResult>;
