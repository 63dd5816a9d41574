/** From where on results are shown whole, when the newest compaction has not settled it: one rule for both engines. */
import type { StubQuery } from "./store.ts";

/**
 * Tokens of the newest items that are shown whole. Counted from the oldest item on, the border stands at a multiple
 * of the step: it stays where it is until that many tokens have come, and with it everything that was sent before.
 */
export function wholeTokens(
  contextTokens: number,
  { freshTokens, stepTokens }: Omit<StubQuery, "above">,
): number {
  const step = Math.max(1, stepTokens);
  return contextTokens - Math.floor(Math.max(0, contextTokens - freshTokens) / step) * step;
}
