import type { Scope } from "../../types.ts";
import type { Page, RangeQuery, StoredReceipt } from "../store.ts";
import { CONVERSATION_ID } from "./conversations.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Up to `known` the conversation was here before: a receipt from before an erasure of one of these messages does
 * not come back.
 */
export function insertReceipts(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  receipts: readonly StoredReceipt[],
  known = 0,
): void {
  if (receipts.length === 0) return;
  transaction.send(
    `WITH erased AS MATERIALIZED (
       SELECT seq, erased_at FROM messages
       WHERE tenant = $1 AND conversation_id = $2 AND seq <= $6 AND erased_at IS NOT NULL)
     INSERT INTO assembly_receipts (tenant, conversation_id, first_seq, at, content)
     SELECT $1::text, $2::bigint, given.* FROM unnest($3::bigint[], $4::timestamptz[], $5::text[])
       AS given(first_seq, at, content)
     WHERE NOT EXISTS (SELECT FROM erased WHERE erased.seq < given.first_seq AND given.at <= erased.erased_at)
     ON CONFLICT DO NOTHING`,
    scope.tenant,
    conversationId,
    receipts.map((receipt) => receipt.firstSeq),
    receipts.map((receipt) => receipt.at),
    receipts.map((receipt) => receipt.content),
    known,
  );
}

/** Receipts of turns behind this message: what they are hashes of may have held it. */
export function dropReceiptsBehind(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seq: number,
): void {
  transaction.send(
    "DELETE FROM assembly_receipts WHERE tenant = $1 AND conversation_id = $2 AND first_seq > $3",
    scope.tenant,
    conversationId,
    seq,
  );
}

export async function readReceipts(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<StoredReceipt>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<StoredReceipt>(
    `SELECT first_seq AS "firstSeq", at, content FROM assembly_receipts
     WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID} AND first_seq BETWEEN $4 AND $5
     ORDER BY first_seq LIMIT $6::bigint + 1`,
    scope.tenant,
    scope.agent,
    conversation,
    query.from ?? 0,
    query.to ?? END,
    limit,
  );
  return pageOf(rows, limit, (row) => row.firstSeq);
}
