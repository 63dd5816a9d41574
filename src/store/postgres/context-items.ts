import type { ExclusionReason, Scope } from "../../types.ts";
import { type ContextItem, ORDINAL_GAP, type Page, type RangeQuery } from "../store.ts";
import { CONVERSATION_ID } from "./conversations.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

export function insertContextItems(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  items: readonly ContextItem[],
): void {
  if (items.length === 0) return;
  transaction.send(
    `INSERT INTO context_items (tenant, conversation_id, ordinal, item_type, seq)
     SELECT $1::text, $2::bigint, * FROM unnest($3::bigint[], $4::text[], $5::bigint[])`,
    scope.tenant,
    conversationId,
    items.map((item) => item.ordinal),
    items.map((item) => item.type),
    items.map((item) => item.seq),
  );
}

/** The place of a message that nobody has moved. */
export function contextItemOf(seq: number): ContextItem {
  return { ordinal: seq * ORDINAL_GAP, type: "message", seq };
}

export function insertExclusions(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  exclusions: ReadonlyMap<number, ExclusionReason>,
): void {
  if (exclusions.size === 0) return;
  transaction.send(
    `INSERT INTO context_exclusions (tenant, conversation_id, seq, reason)
     SELECT $1::text, $2::bigint, * FROM unnest($3::bigint[], $4::text[])
     ON CONFLICT (tenant, conversation_id, seq) DO UPDATE SET reason = excluded.reason`,
    scope.tenant,
    conversationId,
    [...exclusions.keys()],
    [...exclusions.values()],
  );
}

/** Takes messages out of the context, each with its reason. One that is out already keeps its own. */
export function leaveContext(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  reasons: ReadonlyMap<number, ExclusionReason>,
): void {
  if (reasons.size === 0) return;
  transaction.send(
    `WITH leaving AS (
       SELECT m.seq, given.reason FROM unnest($3::bigint[], $4::text[]) AS given(seq, reason)
       JOIN messages m ON m.tenant = $1 AND m.conversation_id = $2 AND m.seq = given.seq AND m.erased_at IS NULL),
     gone AS (
       DELETE FROM context_items i USING leaving
       WHERE i.tenant = $1 AND i.conversation_id = $2 AND i.ordinal = leaving.seq * ${ORDINAL_GAP})
     INSERT INTO context_exclusions (tenant, conversation_id, seq, reason)
     SELECT $1, $2, seq, reason FROM leaving
     ON CONFLICT (tenant, conversation_id, seq) DO NOTHING`,
    scope.tenant,
    conversationId,
    [...reasons.keys()],
    [...reasons.values()],
  );
}

/** Brings messages back into the context. What was erased stays out. */
export function enterContext(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seqs: readonly number[],
): void {
  if (seqs.length === 0) return;
  transaction.send(
    `WITH entering AS (
       SELECT seq FROM messages
       WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[]) AND erased_at IS NULL),
     gone AS (
       DELETE FROM context_exclusions x USING entering
       WHERE x.tenant = $1 AND x.conversation_id = $2 AND x.seq = entering.seq)
     INSERT INTO context_items (tenant, conversation_id, ordinal, item_type, seq)
     SELECT $1, $2, seq * ${ORDINAL_GAP}, 'message', seq FROM entering
     ON CONFLICT (tenant, conversation_id, ordinal)
       DO UPDATE SET item_type = excluded.item_type, seq = excluded.seq`,
    scope.tenant,
    conversationId,
    seqs,
  );
}

export function dropContextItems(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  ordinals: readonly number[],
): void {
  if (ordinals.length === 0) return;
  transaction.send(
    "DELETE FROM context_items WHERE tenant = $1 AND conversation_id = $2 AND ordinal = ANY($3::bigint[])",
    scope.tenant,
    conversationId,
    ordinals,
  );
}

type ContextItemRow = { ordinal: number; item_type: "message"; seq: number };

export async function readContextItems(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<ContextItem>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<ContextItemRow>(
    `SELECT ordinal, item_type, seq FROM context_items
     WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID} AND ordinal BETWEEN $4 AND $5
     ORDER BY ordinal LIMIT $6::bigint + 1`,
    scope.tenant,
    scope.agent,
    conversation,
    query.from ?? 0,
    query.to ?? END,
    limit,
  );
  const page = pageOf(rows, limit, (row) => row.ordinal);
  return {
    rows: page.rows.map((row) => ({ ordinal: row.ordinal, type: row.item_type, seq: row.seq })),
    next: page.next,
  };
}
