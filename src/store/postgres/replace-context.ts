/** Makes room for the context of an incoming conversation that is ahead of the one on record. */
import type { ExclusionReason, Scope } from "../../types.ts";
import { ContextComparison } from "../compare-contexts.ts";
import { insertExclusions } from "./context-items.ts";
import { type ConversationRow, findConversation } from "./conversations.ts";
import type { IncomingConversation } from "./load-conversation.ts";
import { withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

export interface StoredSummaryRow {
  readonly summary_id: string;
  readonly summary_number: number;
  readonly encoding: string;
}

export function readStoredSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
): Promise<readonly StoredSummaryRow[]> {
  return transaction.rows<{ summary_id: string; summary_number: number; encoding: string }>(
    "SELECT summary_id, summary_number, encoding FROM summaries WHERE tenant = $1 AND conversation_id = $2",
    scope.tenant,
    conversationId,
  );
}

export async function compareWithStored(
  transaction: Transaction,
  existing: ConversationRow,
  incoming: IncomingConversation,
  summaries: readonly StoredSummaryRow[],
): Promise<ContextComparison> {
  const target = [incoming.tenant, existing.conversation_id] as const;
  const erased = await transaction.rows<{ seq: number }>(
    "SELECT seq FROM messages WHERE tenant = $1 AND conversation_id = $2 AND erased_at IS NOT NULL",
    ...target,
  );
  const exclusions = await transaction.rows<{ seq: number; reason: ExclusionReason }>(
    "SELECT seq, reason FROM context_exclusions WHERE tenant = $1 AND conversation_id = $2",
    ...target,
  );
  const stored = {
    messageCount: existing.last_seq,
    updatedAt: existing.updated_at,
    erased: new Set(erased.map(({ seq }) => seq)),
    exclusions: new Map(exclusions.map((row) => [row.seq, row.reason])),
    summaries: new Map(
      summaries.map((row) => [row.summary_id, { isErased: row.encoding === "erased" }] as const),
    ),
  };
  return new ContextComparison(stored, incoming);
}

/** Empties the stored context. Exclusions of messages that came in just now are the incoming ones already. */
export function dropContext(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  known: number,
  exclusions: ReadonlyMap<number, ExclusionReason>,
): void {
  for (const table of ["context_items", "compaction_events"])
    transaction.send(
      `DELETE FROM ${table} WHERE tenant = $1 AND conversation_id = $2`,
      scope.tenant,
      conversationId,
    );
  transaction.send(
    "DELETE FROM context_exclusions WHERE tenant = $1 AND conversation_id = $2 AND seq <= $3",
    scope.tenant,
    conversationId,
    known,
  );
  insertExclusions(transaction, scope, conversationId, exclusions);
}

/** Names and times of the later of the two. A session that is active here in another conversation stays there. */
export async function takeNames(
  transaction: Transaction,
  conversationId: number,
  incoming: IncomingConversation,
): Promise<void> {
  transaction.send(
    `UPDATE conversations SET title = $3, title_is_automatic = $4, updated_at = $5
     WHERE tenant = $1 AND conversation_id = $2`,
    incoming.tenant,
    conversationId,
    withoutNul(incoming.title),
    incoming.titleIsAutomatic,
    incoming.updatedAt,
  );
  const { sessionId, sessionKey, archivedAt } = incoming;
  const address = { sessionId: sessionKey ?? sessionId, sessionKey: null };
  const active = archivedAt === null ? await findConversation(transaction, incoming, address) : undefined;
  if (active !== undefined && active.conversation_id !== conversationId) return;
  transaction.send(
    `UPDATE conversations SET session_id = $3, session_key = $4, archived_at = $5
     WHERE tenant = $1 AND conversation_id = $2`,
    incoming.tenant,
    conversationId,
    sessionId,
    sessionKey,
    archivedAt,
  );
}
