import type { ScopedStore, StoredSummary } from "../store/store.ts";

/** The messages that a summary covers, at any depth, in order. */
export async function seqsUnder(store: ScopedStore, summary: StoredSummary): Promise<number[]> {
  if (summary.sources.type === "messages") return [...summary.sources.seqs];
  const seqs: number[] = [];
  for (const id of summary.sources.ids) {
    const source = await store.summary(id);
    if (source !== undefined) seqs.push(...(await seqsUnder(store, source)));
  }
  return seqs;
}
