/** Reports every call, successful or not: model, purpose, tokens, time, outcome. Never conversation text. */
import { type ErrorCode, isPalimpsestError, messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../types.ts";
import type { Answered, Asked, Call } from "./call.ts";
import type { CompletionUsage } from "./complete.ts";
import { statusOf } from "./model-failure.ts";

export interface ModelCall extends CompletionUsage {
  readonly model: string;
  readonly purpose: Asked["purpose"];
  readonly milliseconds: number;
  /** The finish reason, or the error code. */
  readonly outcome: Answered["finish"] | ErrorCode;
  /** The known facts about a failure; null after a response. */
  readonly failure: CallFailure | null;
}

interface CallFailure {
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** Short, without keys. */
  readonly message: string;
}

interface UsageLogOptions {
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
    const report = (end: CompletionUsage & Pick<ModelCall, "outcome" | "failure">) =>
      onCall({ ...end, model, purpose: request.purpose, milliseconds: clock() - start });
    const result = await call(request).catch((error: unknown) => {
      const outcome = isPalimpsestError(error) ? error.code : "internal";
      report({ ...UNKNOWN, outcome, failure: { status: statusOf(error), message: messageOf(error) } });
      throw error;
    });
    report({ ...result.usage, outcome: result.finish, failure: null });
    return result;
  };
}

/** One log line per model call: its cost and outcome, never conversation text. */
export function logModelCall(log: Log, call: ModelCall): void {
  const fields = {
    model: call.model,
    purpose: call.purpose,
    tokens_in: call.inputTokens,
    tokens_out: call.outputTokens,
    cost_usd: call.cost,
    milliseconds: call.milliseconds,
    outcome: call.outcome,
  };
  if (NO_WARNING.has(call.outcome)) log.info(fields, "model called");
  else
    log.warn(
      { ...fields, status: call.failure?.status ?? null, reason: call.failure?.message ?? null },
      "model call failed",
    );
}

/** Outcomes without a warning; the caller knows about its own cancellation. */
const NO_WARNING: ReadonlySet<string> = new Set(["stop", "length", "other", "cancelled"]);
