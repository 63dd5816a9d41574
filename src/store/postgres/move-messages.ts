/** Messages, and as a repair summaries, on their way out of the context and back. The conversation's counters follow in the same statement. */
import type { ExclusionReason, Scope } from "../../types.ts";
import { ORDINAL_GAP } from "../store.ts";
import { countChanged } from "./context-items.ts";
import type { ConversationRow } from "./conversations.ts";
import { takeApartAbove, takeApartAround } from "./take-apart.ts";
import type { Transaction } from "./transaction.ts";

/** Takes messages out of the context, each with its reason. One that is out already keeps its own. */
export async function leaveContext(
  transaction: Transaction,
  scope: Scope,
  conversation: ConversationRow,
  reasons: ReadonlyMap<number, ExclusionReason>,
): Promise<void> {
  if (reasons.size === 0) return;
  await takeApartAbove(transaction, scope, conversation, [...reasons.keys()]);
  transaction.send(
    `WITH leaving AS (
       SELECT m.seq, given.reason FROM unnest($3::bigint[], $4::text[]) AS given(seq, reason)
       JOIN messages m ON m.tenant = $1 AND m.conversation_id = $2 AND m.seq = given.seq AND m.erased_at IS NULL),
     noted AS (
       INSERT INTO context_exclusions (tenant, conversation_id, seq, reason)
       SELECT $1, $2, seq, reason FROM leaving ON CONFLICT (tenant, conversation_id, seq) DO NOTHING),
     gone AS (
       DELETE FROM context_items i USING leaving
       WHERE i.tenant = $1 AND i.conversation_id = $2 AND i.ordinal = leaving.seq * ${ORDINAL_GAP}
         AND i.item_type = 'message'
       RETURNING i.token_count, i.stub_token_count)
     ${countChanged("-", "gone")}`,
    scope.tenant,
    conversation.conversation_id,
    [...reasons.keys()],
    [...reasons.values()],
  );
}

/** Brings messages that were excluded back into the context. What was erased stays out. */
export async function enterContext(
  transaction: Transaction,
  scope: Scope,
  conversation: ConversationRow,
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length === 0) return;
  const returned = await transaction.rows<{ seq: number }>(
    `DELETE FROM context_exclusions
     WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[]) AND reason <> 'erased' RETURNING seq`,
    scope.tenant,
    conversation.conversation_id,
    seqs,
  );
  const entering = returned.map((row) => row.seq);
  await takeApartAround(transaction, scope, conversation, entering);
  placeMessages(transaction, scope, conversation.conversation_id, entering);
}

/** Puts messages at their places unless something stands there. */
export function placeMessages(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seqs: readonly number[],
): void {
  if (seqs.length === 0) return;
  transaction.send(
    `WITH added AS (
       INSERT INTO context_items (tenant, conversation_id, ordinal, item_type, seq, token_count, stub_token_count)
       SELECT $1, $2, seq * ${ORDINAL_GAP}, 'message', seq, token_count, stub_token_count FROM messages
       WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[]) AND erased_at IS NULL
       ON CONFLICT (tenant, conversation_id, ordinal) DO NOTHING
       RETURNING token_count, stub_token_count)
     ${countChanged("+", "added")}`,
    scope.tenant,
    conversationId,
    seqs,
  );
}

/** Puts summaries at their places unless something stands there. Counting follows. */
export function placeSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  transaction.send(
    `INSERT INTO context_items (tenant, conversation_id, ordinal, item_type, summary_number, token_count)
     SELECT $1, $2, first_seq * ${ORDINAL_GAP}, 'summary', summary_number, token_count FROM summaries
     WHERE tenant = $1 AND conversation_id = $2 AND summary_id = ANY($3::text[])
     ON CONFLICT (tenant, conversation_id, ordinal) DO NOTHING`,
    scope.tenant,
    conversationId,
    ids,
  );
}
