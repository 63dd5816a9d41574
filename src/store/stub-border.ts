/** From where on results are shown whole, when the newest compaction has not settled it: one rule for both engines. */
import type { StubQuery } from "./store.ts";

/**
 * Tokens of the newest items that are shown whole, given those of the `freshItems` newest ones. Counted from the oldest item on, the border stands at a multiple
 * of the step: it stays where it is until that many tokens have come, and with it everything that was sent before.
 */
export function wholeTokens(
  contextTokens: number,
  newestTokens: number,
  { freshTokens, stepTokens, fullAt }: Pick<StubQuery, "freshTokens" | "stepTokens" | "fullAt">,
): number {
  const step = Math.max(1, contextTokens > fullAt ? stepTokens / 2 : stepTokens);
  const fresh = Math.min(newestTokens, freshTokens);
  return contextTokens - Math.floor(Math.max(0, contextTokens - fresh) / step) * step;
}
