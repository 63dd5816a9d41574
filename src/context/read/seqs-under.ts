import type { ContextItem, ScopedStore, StoredSummary } from "../../store/store.ts";

/** The messages that a summary covers, at any depth, in order. Sources must be at a lower depth, so damage cannot cause a cycle. */
export async function seqsUnder(store: ScopedStore, summary: StoredSummary): Promise<number[]> {
  if (summary.sources.type === "messages") return [...summary.sources.seqs];
  const seqs: number[] = [];
  for (const id of summary.sources.ids) {
    const source = await store.summary(id);
    if (source !== undefined && source.depth < summary.depth) seqs.push(...(await seqsUnder(store, source)));
  }
  return seqs;
}

/** The messages that an item of the context shows or covers, in order. */
export async function seqsOfItem(store: ScopedStore, item: ContextItem): Promise<readonly number[]> {
  if (item.type === "message") return [item.seq];
  const summary = await store.summary(item.summary);
  return summary === undefined ? [] : seqsUnder(store, summary);
}
