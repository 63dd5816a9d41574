/**
 * Decides when old tool results are shown as stubs: before anything is summarised, because a stub loses nothing and needs no
 * model call; the fresh tail is shown in full. Assembling and the decision whether to compact use the same rule.
 */
import type { Config } from "../../../config/schema.ts";
import type { StoredConversation, StubQuery } from "../../../store/store.ts";
import { freshTailTokens } from "./fresh-tail.ts";

export type StubSettings = Pick<
  Config,
  "stubLargeToolPayloads" | "contextThreshold" | "freshTailCount" | "freshTailMaxTokens"
>;

/** Share of the budget by which the border moves at a time: between moves, the context sent before stays a prefix. */
const STEP_SHARE = 1 / 5;

/** Undefined if results are shown in full. */
export function stubQuery(budget: number, settings: StubSettings): StubQuery | undefined {
  if (!settings.stubLargeToolPayloads) return undefined;
  return {
    above: Math.floor(budget * settings.contextThreshold),
    freshItems: settings.freshTailCount,
    freshTokens: freshTailTokens(settings, budget),
    stepTokens: Math.max(1, Math.floor(budget * STEP_SHARE)),
    fullAt: budget,
  };
}

/** The most tokens that the messages and summaries of a context take as shown. */
export function shownTokens(
  { contextTokens, contextStubTokens }: Pick<StoredConversation, "contextTokens" | "contextStubTokens">,
  stubs: StubQuery | undefined,
): number {
  if (stubs === undefined || contextTokens <= stubs.above) return contextTokens;
  return Math.min(contextTokens, contextStubTokens + stubs.freshTokens + stubs.stepTokens);
}
