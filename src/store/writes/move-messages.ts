/** Removes messages from the context and returns them to it. Each function returns how the context's counts change. */
import type { ExclusionReason } from "../../types.ts";
import type { HeldConversation } from "../port.ts";
import { add, type Counts, NO_COUNTS, subtract } from "../rules/counts.ts";
import { type ContextChange, takeApart } from "../rules/take-apart.ts";
import { addExclusions, dropExclusions } from "../tables/context-exclusions.ts";
import {
  dropContextItems,
  dropMessageItems,
  insertContextItems,
  placeMessages,
} from "../tables/context-items.ts";
import { summariesAround, summariesCovering } from "../tables/summary-graph.ts";

/** A locked conversation; without summaries there is nothing to take apart. */
interface Movable {
  readonly held: HeldConversation;
  readonly hasSummaries: boolean;
}

/** Removes messages from the context, each with its reason. One that is already excluded keeps its reason. */
export async function leaveContext(
  { held, hasSummaries }: Movable,
  reasons: ReadonlyMap<number, ExclusionReason>,
): Promise<Counts> {
  if (reasons.size === 0) return NO_COUNTS;
  const seqs = [...reasons.keys()];
  const apart = await takeApartAbove({ held, hasSummaries }, seqs);
  const gone = await dropMessageItems(held, seqs);
  addExclusions(held, reasons);
  return subtract(apart, gone);
}

/** Returns excluded messages to the context. Erased ones stay excluded. */
export async function enterContext(
  { held, hasSummaries }: Movable,
  seqs: readonly number[],
): Promise<Counts> {
  if (seqs.length === 0) return NO_COUNTS;
  const entering = await dropExclusions(held, seqs);
  if (entering.length === 0) return NO_COUNTS;
  const apart = hasSummaries ? await takeApartAround(held, entering) : NO_COUNTS;
  return add(apart, await placeMessages(held, entering));
}

/** Takes apart every summary of the context that covers one of the messages, at any depth, and no other. */
export async function takeApartAbove(
  { held, hasSummaries }: Movable,
  seqs: readonly number[],
): Promise<Counts> {
  if (!hasSummaries || seqs.length === 0) return NO_COUNTS;
  return change(held, takeApart(await summariesCovering(held, seqs)));
}

/** Takes apart summaries that cover messages on both sides of one of these, so that it can be between them. */
async function takeApartAround(held: HeldConversation, seqs: readonly number[]): Promise<Counts> {
  let counts = NO_COUNTS;
  for (;;) {
    const apart = takeApart(await summariesAround(held, seqs));
    if (apart.drop.length === 0) return counts;
    counts = add(counts, change(held, apart));
  }
}

function change(held: HeldConversation, { drop, add: added, counts }: ContextChange): Counts {
  dropContextItems(held, drop);
  insertContextItems(held, added);
  return counts;
}
