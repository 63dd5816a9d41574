/** Makes room for the context of an incoming conversation that is ahead of the one on record. */
import type { ExclusionReason } from "../../types.ts";
import { ContextComparison } from "../compare-contexts.ts";
import type { DumpRow } from "../store.ts";
import { type ConversationRow, findConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { insertExclusion } from "./messages.ts";
import { messageRowId, rowIdRange, seqOfRowId } from "./rows.ts";

type IncomingConversation = Extract<DumpRow, { row: "conversation" }>;

export function compareWithStored(
  database: Database,
  existing: ConversationRow,
  incoming: IncomingConversation,
  erased: readonly { readonly seq: number }[],
): ContextComparison {
  const id = existing.conversation_id;
  const exclusions = database.all<{ message_id: number; reason: ExclusionReason }>(
    "SELECT message_id, reason FROM context_exclusions WHERE message_id BETWEEN ? AND ?",
    ...rowIdRange(id),
  );
  const summaries = database.all<{ summary_id: string; encoding: string }>(
    "SELECT summary_id, encoding FROM summaries WHERE conversation_id = ?",
    id,
  );
  const stored = {
    messageCount: existing.last_seq,
    updatedAt: existing.updated_at,
    erased: new Set(erased.map(({ seq }) => seq)),
    exclusions: new Map(exclusions.map((row) => [seqOfRowId(row.message_id), row.reason])),
    summaries: new Map(
      summaries.map((row) => [row.summary_id, { isErased: row.encoding === "erased" }] as const),
    ),
  };
  return new ContextComparison(stored, incoming);
}

/** Empties the stored context. Exclusions of messages that came in just now are the incoming ones already. */
export function dropContext(
  database: Database,
  conversationId: number,
  known: number,
  exclusions: ReadonlyMap<number, ExclusionReason>,
): void {
  for (const table of ["context_items", "compaction_events"])
    database.run(`DELETE FROM ${table} WHERE conversation_id = ?`, conversationId);
  database.run(
    "DELETE FROM context_exclusions WHERE message_id BETWEEN ? AND ?",
    messageRowId(conversationId, 0),
    messageRowId(conversationId, known),
  );
  for (const [seq, reason] of exclusions) insertExclusion(database, conversationId, seq, reason);
}

/** Names and times of the later of the two. A session that is active here in another conversation stays there. */
export function takeNames(database: Database, conversationId: number, incoming: IncomingConversation): void {
  database.run(
    "UPDATE conversations SET title = ?, title_is_automatic = ?, updated_at = ? WHERE conversation_id = ?",
    incoming.title,
    incoming.titleIsAutomatic ? 1 : 0,
    incoming.updatedAt,
    conversationId,
  );
  const { sessionId, sessionKey, archivedAt } = incoming;
  const address = { sessionId: sessionKey ?? sessionId, sessionKey: null };
  const active = archivedAt === null ? findConversation(database, incoming, address) : undefined;
  if (active !== undefined && active.conversation_id !== conversationId) return;
  database.run(
    "UPDATE conversations SET session_id = ?, session_key = ?, archived_at = ? WHERE conversation_id = ?",
    sessionId,
    sessionKey,
    archivedAt,
    conversationId,
  );
}
