/**
 * The one thing that compaction, large files and expansion want of a model: instructions and a text in, a text
 * out. A host can hand in its own function; everything else in this folder makes one from the configuration.
 *
 * A `Complete` answers with whatever the model said, empty, cut off or far too long: judging it is the caller's
 * work. It throws `PalimpsestError` only: `model-authentication`, `model-unavailable`, `model-limit`, `cancelled`.
 */
const PURPOSES = ["summary", "large-file", "expansion", "memory"] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface CompletionRequest {
  readonly purpose: Purpose;
  readonly system: string;
  readonly prompt: string;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** Default: the model's own. Models that have none leave it out. */
  readonly temperature?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CompletionResult {
  /** The answer without the model's reasoning. */
  readonly text: string;
  /** Who answered, as `provider/model`. */
  readonly model: string;
  /** `length`: cut off at `maxTokens`. `other`: stopped by a filter, an error, or whatever else is no regular end. */
  readonly finish: "stop" | "length" | "other";
  readonly usage: CompletionUsage;
}

/** Null where the provider does not say. */
export interface CompletionUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** In US dollars. */
  readonly cost: number | null;
}

export type Complete = (request: CompletionRequest) => Promise<CompletionResult>;
