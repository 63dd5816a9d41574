/** Reads what a chunk is made of. */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import { textOfParts } from "../ingest/read-parts.ts";
import { partsOf } from "../read.ts";
import type { Chunk } from "./plan-compaction.ts";
import type { SourceMessage, SourceSummary, SummarySource } from "./source.ts";

export interface ReadSource {
  readonly source: SummarySource;
  /** Every file that it speaks of, also where a model sees it cut. */
  readonly fileIds: readonly string[];
}

export async function readSource(
  store: ScopedStore,
  conversation: string,
  chunk: Chunk,
): Promise<ReadSource> {
  if (chunk.kind === "leaf") {
    const messages = await readMessages(store, conversation, chunk.seqs);
    const fileIds = messages.flatMap((message) => fileIdsIn(textOfParts(message.parts)));
    return { source: { kind: "leaf", messages }, fileIds: [...new Set(fileIds)] };
  }
  const rows = await Promise.all(chunk.ids.map((id) => store.summary(id)));
  const summaries = rows.filter((row) => row !== undefined);
  return {
    source: { kind: "condensed", depth: chunk.depth, summaries: summaries.map(toSource) },
    fileIds: [...new Set(summaries.flatMap((summary) => summary.fileIds))],
  };
}

function fileIdsIn(text: string): string[] {
  return text.match(/\bfile_[0-9a-f]{16}\b/g) ?? [];
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
