import type { Page, RangeQuery, StoredReceipt } from "../store.ts";
import type { Database } from "./database.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./rows.ts";

export function insertReceipt(database: Database, conversationId: number, receipt: StoredReceipt): void {
  database.run(
    "INSERT INTO assembly_receipts (conversation_id, first_seq, at, content) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    conversationId,
    receipt.firstSeq,
    receipt.at,
    receipt.content,
  );
}

/** Receipts of turns behind this message: what they are hashes of may have held it. */
export function dropReceiptsBehind(database: Database, conversationId: number, seq: number): void {
  database.run(
    "DELETE FROM assembly_receipts WHERE conversation_id = ? AND first_seq > ?",
    conversationId,
    seq,
  );
}

export function readReceipts(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): Page<StoredReceipt> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<{ firstSeq: number; at: string; content: string }>(
    `SELECT first_seq AS firstSeq, at, content FROM assembly_receipts
     WHERE conversation_id = ? AND first_seq BETWEEN ? AND ? ORDER BY first_seq LIMIT ?`,
    conversationId,
    query.from ?? 0,
    query.to ?? END,
    limit + 1,
  );
  return pageOf(rows, limit, (row) => row.firstSeq);
}
