/**
 * Which messages of a conversation are on record and not in its context, such as abandoned branches. Erased ones
 * are on no path: nothing of them is left to read.
 */
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
    inContext.add(item.seq);
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
