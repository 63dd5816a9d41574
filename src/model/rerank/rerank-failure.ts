/** Why there is no ranking, from whatever was thrown. */
import { isPalimpsestError, messageOf } from "../../errors.ts";
import { factsOf, isAuthenticationFailure } from "../model-failure.ts";
import type { RerankFailure, RerankOutcome } from "./rerank.ts";

export function rerankFailure(error: unknown): Extract<RerankOutcome, { ok: false }> {
  return { ok: false, reason: reasonOf(error), message: messageOf(error) };
}

function reasonOf(error: unknown): RerankFailure {
  if (isPalimpsestError(error, "cancelled")) return "cancelled";
  if (isAuthenticationFailure(error)) return "authentication";
  const facts = factsOf(error);
  if (facts?.isTooLate === true) return "timeout";
  if (facts?.status === 429) return "rate-limit";
  return facts?.status === 200 ? "invalid-answer" : "unavailable";
}
