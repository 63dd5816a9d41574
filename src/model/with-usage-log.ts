/** Reports every call, answered or not: which model, for what, tokens, time, outcome. Never what was said. */
import { type ErrorCode, isPalimpsestError } from "../errors.ts";
import type { Clock } from "../types.ts";
import type { Answered, Asked, Call } from "./call.ts";
import type { CompletionUsage } from "./complete.ts";

export interface ModelCall extends CompletionUsage {
  readonly model: string;
  readonly purpose: Asked["purpose"];
  readonly milliseconds: number;
  /** How the answer ended, or why there is none. */
  readonly outcome: Answered["finish"] | ErrorCode;
}

export interface UsageLogOptions {
  readonly model: string;
  readonly clock: Clock;
  readonly onCall: (call: ModelCall) => void;
}

const UNKNOWN: CompletionUsage = { inputTokens: null, outputTokens: null, cost: null };

export function withUsageLog<Request extends Asked, Result extends Answered>(
  call: Call<Request, Result>,
  { model, clock, onCall }: UsageLogOptions,
): Call<Request, Result> {
  return async (request) => {
    const start = clock();
    const report = (usage: CompletionUsage, outcome: ModelCall["outcome"]) =>
      onCall({ ...usage, model, purpose: request.purpose, milliseconds: clock() - start, outcome });
    const result = await call(request).catch((error: unknown) => {
      report(UNKNOWN, isPalimpsestError(error) ? error.code : "internal");
      throw error;
    });
    report(result.usage, result.finish);
    return result;
  };
}
