/** A call to a model, whatever it asks and answers: all that retries, time limits and records need to know of it. */
import type { CompletionUsage, Purpose } from "./complete.ts";

/** What a call is for, as logs name it. */
type CallPurpose = Purpose | "embedding" | "reranking";

export interface Asked {
  readonly purpose: CallPurpose;
  readonly signal?: AbortSignal | undefined;
}

export interface Answered {
  /** `length`: cut off. `other`: for example stopped by a filter. */
  readonly finish: "stop" | "length" | "other";
  readonly usage: CompletionUsage;
}

export type Call<Request extends Asked, Result> = (request: Request) => Promise<Result>;
