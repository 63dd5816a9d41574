/** Reads what a chunk is made of, and the summary before it for continuity. */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { ORDINAL_GAP } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import { partsOf } from "../read.ts";
import type { Chunk } from "./plan-compaction.ts";
import type { SourceMessage, SourceSummary, SummarySource } from "./source.ts";

export async function readSource(
  store: ScopedStore,
  conversation: string,
  chunk: Chunk,
): Promise<{ source: SummarySource; previousContext: string | null }> {
  if (chunk.kind === "leaf") {
    const messages = await readMessages(store, conversation, chunk.seqs);
    const previousContext = await summaryBefore(store, conversation, chunk.seqs[0] ?? 0);
    return { source: { kind: "leaf", messages }, previousContext };
  }
  const summaries: SourceSummary[] = [];
  for (const id of chunk.ids) {
    const summary = await store.summary(id);
    if (summary !== undefined) summaries.push(toSource(summary));
  }
  return { source: { kind: "condensed", depth: chunk.depth, summaries }, previousContext: null };
}

async function readMessages(store: ScopedStore, conversation: string, seqs: readonly number[]): Promise<SourceMessage[]> {
  const wanted = new Set(seqs);
  const to = seqs.at(-1) ?? 0;
  const messages: SourceMessage[] = [];
  for await (const row of everyRow((from) => store.messages(conversation, { from, to }), seqs[0] ?? 0)) {
    if (!wanted.has(row.seq) || row.content === null) continue;
    const { seq, role, createdAt, tokenCount } = row;
    messages.push({ seq, id: messageId(conversation, seq), role, createdAt, tokenCount, parts: partsOf(row.format, row.content) });
  }
  return messages;
}

function toSource({ id, depth, earliestAt, latestAt, tokenCount, content }: StoredSummary): SourceSummary {
  return { id, depth, earliestAt, latestAt, tokenCount, text: content ?? "" };
}

/** The text of the summary that stands right before a message in the context. */
async function summaryBefore(store: ScopedStore, conversation: string, seq: number): Promise<string | null> {
  const to = seq * ORDINAL_GAP - 1;
  const { rows } = await store.contextItems(conversation, { from: Math.max(0, to - 10_000 * ORDINAL_GAP), to });
  const before = rows.at(-1);
  if (before?.type !== "summary") return null;
  return (await store.summary(before.summary))?.content ?? null;
}
