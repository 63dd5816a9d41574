/** Which messages of a conversation are on record and not in its context, such as abandoned branches. */

import { seqsOfItem } from "../context/seqs-under.ts";
import type { Engine } from "../engine.ts";
import { everyRow } from "../store/every-row.ts";

export interface OffPath {
  readonly messages: number;
  /** Runs of seqs, both ends inclusive. */
  readonly ranges: { readonly from: number; readonly to: number }[];
}

export async function findOffPath(engine: Engine, conversation: string): Promise<OffPath> {
  const { tenant, agent } = engine.config;
  const store = engine.store.scoped({ tenant, agent });
  const { messageCount } = await engine.context.conversation(conversation);
  const inContext = new Set<number>();
  for await (const item of everyRow((from) => store.contextItems(conversation, { from })))
    for (const seq of await seqsOfItem(store, item)) inContext.add(seq);
  return { messages: messageCount - inContext.size, ranges: gaps(inContext, messageCount) };
}

function gaps(inContext: ReadonlySet<number>, last: number): OffPath["ranges"] {
  const ranges: { from: number; to: number }[] = [];
  for (let seq = 1; seq <= last; seq++) {
    if (inContext.has(seq)) continue;
    const open = ranges.at(-1);
    if (open?.to === seq - 1) open.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  return ranges;
}
