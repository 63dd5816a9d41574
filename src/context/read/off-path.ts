/**
 * Messages of a conversation that are stored but not in its context, such as abandoned branches. Erased messages
 * are excluded, because they cannot be read.
 */
import { everyPage } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";
import { seqsOfItem } from "./seqs-under.ts";

export interface OffPath {
  readonly messages: number;
  /** Runs of seqs, both ends inclusive. */
  readonly ranges: { readonly from: number; readonly to: number }[];
}

export async function findOffPath(store: ScopedStore, conversation: string): Promise<OffPath> {
  const messageCount = (await store.conversation({ id: conversation }))?.messageCount ?? 0;
  // One byte a message. Messages added by others after the count are left to the next call.
  const isAccounted = new Uint8Array(messageCount + 1);
  for await (const items of everyPage((from) => store.contextItems(conversation, { from })))
    for (const item of items)
      if (item.type === "message") isAccounted[item.seq] = 1;
      else for (const seq of await seqsOfItem(store, item)) isAccounted[seq] = 1;
  for (const { from, to } of gapsIn(isAccounted))
    await accountErased(store, conversation, from, to, isAccounted);
  const ranges = gapsIn(isAccounted);
  return { messages: ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0), ranges };
}

async function accountErased(
  store: ScopedStore,
  conversation: string,
  start: number,
  to: number,
  isAccounted: Uint8Array,
): Promise<void> {
  const read = (from: number) => store.messages(conversation, { from, to, withoutContent: true });
  for await (const messages of everyPage(read, start))
    for (const { seq, erasedAt } of messages) if (erasedAt !== null) isAccounted[seq] = 1;
}

function gapsIn(isAccounted: Uint8Array): OffPath["ranges"] {
  const ranges: { from: number; to: number }[] = [];
  for (let seq = 1; seq < isAccounted.length; seq++) {
    if (isAccounted[seq] === 1) continue;
    const open = ranges.at(-1);
    if (open?.to === seq - 1) open.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  return ranges;
}
