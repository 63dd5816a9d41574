/**
 * Ranks near-duplicates of a better hit after the others. Nothing is dropped and no score changes; only the limit
 * decides whether the duplicate is still shown. Off by default: questions that need several pieces of evidence lose
 * by it.
 */
import { cosine } from "../cosine.ts";
import type { Scored, StageResult } from "./stage.ts";

export function defer(items: readonly Scored[], above: number): StageResult {
  const chosen: Scored[] = [];
  const deferred: Scored[] = [];
  for (const item of items) {
    const { vector } = item;
    const repeats =
      vector !== null &&
      chosen.some((other) => other.vector !== null && cosine(vector, other.vector) > above);
    (repeats ? deferred : chosen).push(item);
  }
  const note =
    deferred.length === 0
      ? "Nothing repeats."
      : `Deferred: ${deferred.map(({ memory }) => memory.id).join(", ")}.`;
  return {
    items: [...chosen, ...deferred],
    trace: { stage: "diversity", in: items.length, out: items.length, dropped: [], changes: [], note },
  };
}
