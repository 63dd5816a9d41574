/** Why a compaction found nothing to do, for a person. Pure. */
import type { ShapeItem } from "../../../store/store.ts";
import { count, counted } from "../../../text/counted.ts";
import { freshTailStart } from "./fresh-tail.ts";
import { type PlanSettings, smallestLeaf } from "./plan-compaction.ts";

export function whyNothing(items: readonly ShapeItem[], settings: PlanSettings): string {
  if (items.length === 0) return "The context is empty.";
  const older = items.slice(0, freshTailStart(items, settings));
  if (older.length === 0) return allFresh(items.length, settings);
  const messages = older.filter((item) => item.type === "message");
  const summaries = older.length - messages.length;
  const tokens = messages.reduce((sum, item) => sum + item.tokenCount, 0);
  const few = summaries === 0 ? "" : tooFew(summaries, settings);
  if (messages.length === 0) return `Everything before the fresh tail is already summarised.${few}`;
  if (messages.every((item) => item.role === "system"))
    return `Only system messages precede the fresh tail, and they are never summarised.${few}`;
  const left = `${counted(messages.length, "message")} with ${counted(tokens, "token")}`;
  const needed = `a summary needs at least ${count(smallestLeaf(settings))} tokens of adjacent messages`;
  const precede = messages.length === 1 ? "precedes" : "precede";
  return `Only ${left} ${precede} the fresh tail (freshTailCount ${count(settings.freshTailCount)}), but ${needed}.${few}`;
}

function allFresh(messages: number, { freshTailCount, freshTailMaxTokens }: PlanSettings): string {
  const limits = `freshTailCount ${count(freshTailCount)} messages, freshTailMaxTokens ${count(freshTailMaxTokens)}`;
  return `Everything is in the fresh tail (${counted(messages, "message")}), which is never summarised: ${limits}.`;
}

function tooFew(summaries: number, settings: PlanSettings): string {
  const enough = `leafMinFanout ${settings.leafMinFanout}, condensedMinFanout ${settings.condensedMinFanout}`;
  return ` ${counted(summaries, "summary is", "summaries are")} too few to condense, which needs adjacent ones of one depth: ${enough}, or ${settings.condensedMinFanoutHard} with a target.`;
}
