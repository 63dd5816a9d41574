/** Decides whether the context should be compacted. Reads only the conversation's row. */
import type { z } from "zod";
import type { StoredConversation } from "../../../store/store.ts";
import type { evaluateInput } from "../../inputs.ts";
import type { CompactionSettings } from "./compaction-settings.ts";
import { shownTokens, stubQuery } from "./stubs.ts";

/** Tokens of a message besides its text: its role, its frame, ids of tool calls. */
export const ITEM_OVERHEAD = 12;

export interface Evaluation {
  readonly conversation: string;
  /** Tokens of the whole context as shown, or the caller's figure if that is higher. */
  readonly tokens: number;
  readonly items: number;
  readonly budget: number;
  /** `soft`: compact in the background. `hard`: compact before the next model call. */
  readonly level: "fine" | "soft" | "hard";
  /** The reason; null if `fine`. */
  readonly reason: string | null;
  /** Tokens that a compaction would aim for; 0 if the reason is not about tokens. */
  readonly target: number;
}

export type EvaluateInput = z.input<typeof evaluateInput>;

export function evaluateContext(
  conversation: StoredConversation,
  budget: number,
  settings: CompactionSettings,
  observedTokens = 0,
): Evaluation {
  const { id, contextItems: items } = conversation;
  const contextTokens = shownTokens(conversation, stubQuery(budget, settings));
  const tokens = Math.max(observedTokens, sizeOf({ contextTokens, contextItems: items }));
  const target = Math.floor(budget * settings.compactTarget);
  const common = { conversation: id, tokens, items, budget, target };
  const share = (part: number) => `${tokens} tokens exceed ${part} of ${budget}`;
  if (tokens > budget * settings.hardThreshold)
    return { ...common, level: "hard", reason: share(settings.hardThreshold) };
  if (tokens > budget * settings.contextThreshold)
    return { ...common, level: "soft", reason: share(settings.contextThreshold) };
  const most = settings.maxActiveMessages;
  if (most !== null && items > most)
    return { ...common, target: 0, level: "soft", reason: `${items} items exceed ${most}` };
  return { ...common, level: "fine", reason: null };
}

/** Tokens of the whole context as it would be sent. */
export function sizeOf({
  contextTokens,
  contextItems,
}: Pick<StoredConversation, "contextTokens" | "contextItems">): number {
  return contextTokens + contextItems * ITEM_OVERHEAD;
}
