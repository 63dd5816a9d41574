/** One log line per model call: its cost and outcome, never conversation text. */
import type { Log } from "../log.ts";
import type { ModelCall } from "./with-usage-log.ts";

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

/** Who gives a call up knows that it did. */
const NO_WARNING: ReadonlySet<string> = new Set(["stop", "length", "other", "cancelled"]);
