/** A call to a model of any kind: the fields that retries, time limits and records need. */
import type { CompletionUsage, Purpose } from "./complete.ts";

/** The purpose of a call in logs. */
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
