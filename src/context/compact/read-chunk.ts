/** Reads the sources of a chunk. Messages are parsed where they are processed: see `chunks/`. */
import { everyPage } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import type { Chunk } from "./plan/chunk.ts";
import type { SourceSummary, UnreadMessage, UnreadSource } from "./source.ts";

export async function readChunk(
  store: ScopedStore,
  conversation: string,
  chunk: Chunk,
): Promise<UnreadSource> {
  if (chunk.kind === "leaf")
    return { kind: "leaf", messages: await readMessages(store, conversation, chunk.seqs) };
  const rows = await Promise.all(chunk.ids.map((id) => store.summary(id)));
  const summaries = rows.filter((row) => row !== undefined);
  return {
    kind: "condensed",
    depth: chunk.depth,
    summaries: summaries.map(toSource),
    fileIds: [...new Set(summaries.flatMap((summary) => summary.fileIds))],
  };
}

async function readMessages(
  store: ScopedStore,
  conversation: string,
  seqs: readonly number[],
): Promise<UnreadMessage[]> {
  const wanted = new Set(seqs);
  const to = seqs.at(-1) ?? 0;
  const messages: UnreadMessage[] = [];
  for await (const rows of everyPage((from) => store.originals(conversation, { from, to }), seqs[0] ?? 0))
    for (const row of rows) if (wanted.has(row.seq)) messages.push(row);
  return messages;
}

function toSource({ id, depth, earliestAt, latestAt, tokenCount, content }: StoredSummary): SourceSummary {
  return { id, depth, earliestAt, latestAt, tokenCount, text: content ?? "" };
}
