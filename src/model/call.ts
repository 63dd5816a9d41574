/** A call to a model, whatever it asks and answers: all that retries, time limits and records need to know of it. */
import type { CompletionUsage, Purpose } from "./complete.ts";

export interface Asked {
  readonly purpose: Purpose;
  readonly signal?: AbortSignal;
}

export interface Answered {
  /** `length`: cut off. `other`: for example stopped by a filter. */
  readonly finish: "stop" | "length" | "other";
  readonly usage: CompletionUsage;
}

export type Call<Request extends Asked, Result> = (request: Request) => Promise<Result>;
