/**
 * Which messages of a conversation are on record and not in its context, such as abandoned branches. Erased ones
 * are on no path: nothing of them is left to read.
 */
import { everyRow } from "../store/every-row.ts";
import type { ScopedStore } from "../store/store.ts";
import { seqsOfItem } from "./seqs-under.ts";

export interface OffPath {
  readonly messages: number;
  /** Runs of seqs, both ends inclusive. */
  readonly ranges: { readonly from: number; readonly to: number }[];
}

export async function findOffPath(store: ScopedStore, conversation: string): Promise<OffPath> {
  const messageCount = (await store.conversation({ id: conversation }))?.messageCount ?? 0;
  const inContext = new Set<number>();
  // What others have added since the count belongs to the next one.
  for await (const item of everyRow((from) => store.contextItems(conversation, { from })))
    for (const seq of await seqsOfItem(store, item)) if (seq <= messageCount) inContext.add(seq);
  const accounted = new Set(inContext);
  for (const gap of gaps(inContext, messageCount))
    for await (const { seq, erasedAt } of everyRow(
      (from) => store.messages(conversation, { from, to: gap.to }),
      gap.from,
    ))
      if (erasedAt !== null) accounted.add(seq);
  return { messages: messageCount - accounted.size, ranges: gaps(accounted, messageCount) };
}

function gaps(seqs: ReadonlySet<number>, last: number): OffPath["ranges"] {
  const ranges: { from: number; to: number }[] = [];
  for (let seq = 1; seq <= last; seq++) {
    if (seqs.has(seq)) continue;
    const open = ranges.at(-1);
    if (open?.to === seq - 1) open.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  return ranges;
}
