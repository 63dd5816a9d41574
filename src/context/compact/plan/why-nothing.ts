/** Why a compaction found nothing to do, in one sentence for a person. Pure. */
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
  if (messages.length === 0) return `Everything before the fresh tail is already summarised, and the ${few}.`;
  if (messages.every((item) => item.role === "system"))
    return `Before the fresh tail, only system messages are left, which are never summarised${few && `, and the ${few}`}.`;
  const left = `${counted(messages.length, "message")} with ${counted(tokens, "token")}`;
  const needed = `a summary needs at least ${count(smallestLeaf(settings))} tokens of adjacent messages`;
  const precede = messages.length === 1 ? "precedes" : "precede";
  return `Only ${left} ${precede} the fresh tail (freshTailCount ${count(settings.freshTailCount)}), but ${needed}${few && `; the ${few}`}.`;
}

function allFresh(messages: number, { freshTailCount, freshTailMaxTokens }: PlanSettings): string {
  const limits = `freshTailCount ${count(freshTailCount)} messages, freshTailMaxTokens ${count(freshTailMaxTokens)}`;
  return `Everything is in the fresh tail (${counted(messages, "message")}), which is never summarised: ${limits}.`;
}

function tooFew(summaries: number, settings: PlanSettings): string {
  const enough = `leafMinFanout ${settings.leafMinFanout}, condensedMinFanout ${settings.condensedMinFanout}`;
  return `${counted(summaries, "summary is", "summaries are")} too few to condense (adjacent and of one depth: ${enough}; with a target, ${settings.condensedMinFanoutHard} are enough)`;
}
