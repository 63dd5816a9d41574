/**
 * When old results of tools are shown as stubs: before anything is summarised, because a stub loses nothing and costs no
 * model call; the fresh tail is shown as it was said. Assembling and deciding whether to compact ask here, so that there is one rule.
 */
import type { Config } from "../../../config/schema.ts";
import type { StoredConversation, StubQuery } from "../../../store/store.ts";
import { freshTailTokens } from "./fresh-tail.ts";

export type StubSettings = Pick<
  Config,
  "stubLargeToolPayloads" | "contextThreshold" | "freshTailCount" | "freshTailMaxTokens"
>;

/** Of the budget, by how much the border moves at a time while everything fits: what was sent stays a prefix till then. */
const STEP_SHARE = 1 / 5;

/** Undefined when they are shown as they were. */
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

/** The most tokens that the messages and summaries of a context take as they would be shown. */
export function shownTokens(
  { contextTokens, contextStubTokens }: Pick<StoredConversation, "contextTokens" | "contextStubTokens">,
  stubs: StubQuery | undefined,
): number {
  if (stubs === undefined || contextTokens <= stubs.above) return contextTokens;
  return Math.min(contextTokens, contextStubTokens + stubs.freshTokens + stubs.stepTokens);
}
