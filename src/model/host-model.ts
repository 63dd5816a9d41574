/** A host's own function as a reliable `Complete`: with time limit and record, and only our errors. */
import type { Clock } from "../types.ts";
import type { Complete, CompletionResult } from "./complete.ts";
import { modelFailure, unavailable } from "./model-failure.ts";
import { stripReasoning } from "./strip-reasoning.ts";
import type { Wait } from "./wait.ts";
import { withTimeout } from "./with-timeout.ts";
import { type ModelCall, withUsageLog } from "./with-usage-log.ts";

interface HostModelOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly onCall: (call: ModelCall) => void;
}

const NAME = "the host's model";

export function hostModel(
  complete: Complete,
  { timeoutMs, clock, wait, onCall }: HostModelOptions,
): Complete {
  const called: Complete = async (request) => {
    try {
      return whole(await complete(request));
    } catch (error) {
      throw modelFailure(error, { model: NAME, apiKey: null, now: clock() });
    }
  };
  return withUsageLog(withTimeout(called, { model: NAME, timeoutMs, wait }), { model: NAME, clock, onCall });
}

/** Fills in fields that a plain JavaScript function may omit. */
function whole(result: CompletionResult): CompletionResult {
  if (typeof result?.text !== "string")
    throw unavailable(
      `${NAME} returned no text`,
      { status: null, temporary: false, retryAfterMs: null },
      "complete() must resolve to { text, model, finish, usage }.",
    );
  const usage = result.usage ?? { inputTokens: null, outputTokens: null, cost: null };
  const text = stripReasoning(result.text);
  return { text, model: result.model ?? "host", finish: result.finish ?? "stop", usage };
}
