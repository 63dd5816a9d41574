/** Why a compaction found nothing to do, for a person. Pure. */
import type { ShapeItem } from "../../../store/store.ts";
import { andList } from "../../../text/and-list.ts";
import { count, counted } from "../../../text/counted.ts";
import { freshTailStart } from "./fresh-tail.ts";
import { type PlanSettings, smallestLeaf } from "./plan-compaction.ts";

export function whyNothing(items: readonly ShapeItem[], settings: PlanSettings): string {
  if (items.length === 0) return "The context is empty.";
  const older = items.slice(0, freshTailStart(items, settings));
  if (older.length === 0) return allFresh(items.length, settings);
  const messages = older.filter((item) => item.type === "message");
  const depths = older.flatMap((item) => (item.type === "summary" ? [item.depth] : []));
  const tokens = messages.reduce((sum, item) => sum + item.tokenCount, 0);
  const few = depths.length === 0 ? "" : tooFew(depths, settings);
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

function tooFew(depths: readonly number[], { leafMinFanout, condensedMinFanout }: PlanSettings): string {
  const amounts = [...Map.groupBy(depths, (depth) => depth)]
    .map(([depth, { length }]) => ({ depth, length }))
    .sort((a, b) => a.depth - b.depth);
  const deeper = depths.some((depth) => depth > 0)
    ? `, or ${condensedMinFanout} of depth 1 or more (condensedMinFanout)`
    : "";
  const found = andList(amounts.map(({ depth, length }) => `${count(length)} of depth ${depth}`));
  const isFew = amounts.every(
    ({ depth, length }) => length < (depth === 0 ? leafMinFanout : condensedMinFanout),
  );
  const problem = isFew
    ? `the context has only ${found}`
    : `the context has ${found}, too few of them adjacent`;
  return ` Condensing needs ${leafMinFanout} adjacent summaries of depth 0 (leafMinFanout)${deeper}; ${problem}.`;
}
