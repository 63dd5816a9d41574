/** Reads what a chunk is made of. */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import { partsOf } from "../read.ts";
import type { Chunk } from "./plan-compaction.ts";
import type { SourceMessage, SourceSummary, SummarySource } from "./source.ts";

export async function readSource(
  store: ScopedStore,
  conversation: string,
  chunk: Chunk,
): Promise<SummarySource> {
  if (chunk.kind === "leaf")
    return { kind: "leaf", messages: await readMessages(store, conversation, chunk.seqs) };
  const summaries: SourceSummary[] = [];
  for (const id of chunk.ids) {
    const summary = await store.summary(id);
    if (summary !== undefined) summaries.push(toSource(summary));
  }
  return { kind: "condensed", depth: chunk.depth, summaries };
}

async function readMessages(
  store: ScopedStore,
  conversation: string,
  seqs: readonly number[],
): Promise<SourceMessage[]> {
  const wanted = new Set(seqs);
  const to = seqs.at(-1) ?? 0;
  const messages: SourceMessage[] = [];
  for await (const row of everyRow((from) => store.messages(conversation, { from, to }), seqs[0] ?? 0)) {
    if (!wanted.has(row.seq) || row.content === null) continue;
    const { seq, role, createdAt, tokenCount } = row;
    messages.push({
      seq,
      id: messageId(conversation, seq),
      role,
      createdAt,
      tokenCount,
      parts: partsOf(row.format, row.content),
    });
  }
  return messages;
}

function toSource({ id, depth, earliestAt, latestAt, tokenCount, content }: StoredSummary): SourceSummary {
  return { id, depth, earliestAt, latestAt, tokenCount, text: content ?? "" };
}
