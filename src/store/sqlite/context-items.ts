import type { ExclusionReason } from "../../types.ts";
import { type ContextItem, ORDINAL_GAP, type Page, type RangeQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { insertContextItem, insertExclusion } from "./messages.ts";
import { DEFAULT_LIMIT, END, messageRowId, pageOf, seqOfRowId } from "./rows.ts";

/** Takes a message out of the context. One that is out already keeps its reason. */
export function leaveContext(
  database: Database,
  conversationId: number,
  seq: number,
  reason: ExclusionReason,
): void {
  if (exclusionOf(database, conversationId, seq) !== undefined) return;
  dropContextItem(database, conversationId, seq * ORDINAL_GAP);
  insertExclusion(database, conversationId, seq, reason);
}

/** Brings a message back into the context. What was erased stays out. */
export function enterContext(database: Database, conversationId: number, seq: number): void {
  if (exclusionOf(database, conversationId, seq) === "erased") return;
  database.run("DELETE FROM context_exclusions WHERE message_id = ?", messageRowId(conversationId, seq));
  insertContextItem(database, conversationId, seq);
}

/** Puts a known message on the active path of its transcript or off it; other reasons are left alone. */
export function setBranch(database: Database, conversationId: number, seq: number, isOffPath: boolean): void {
  const reason = exclusionOf(database, conversationId, seq);
  if (isOffPath && reason === undefined) leaveContext(database, conversationId, seq, "branch");
  if (!isOffPath && reason === "branch") enterContext(database, conversationId, seq);
}

function exclusionOf(database: Database, conversationId: number, seq: number): ExclusionReason | undefined {
  return database.one<{ reason: ExclusionReason }>(
    "SELECT reason FROM context_exclusions WHERE message_id = ?",
    messageRowId(conversationId, seq),
  )?.reason;
}

export function dropContextItem(database: Database, conversationId: number, ordinal: number): void {
  database.run(
    "DELETE FROM context_items WHERE conversation_id = ? AND ordinal = ?",
    conversationId,
    ordinal,
  );
}

type ContextItemRow = { ordinal: number; item_type: "message"; message_id: number };

export function readContextItems(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): Page<ContextItem> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<ContextItemRow>(
    `SELECT ordinal, item_type, message_id FROM context_items
     WHERE conversation_id = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal LIMIT ?`,
    conversationId,
    query.from ?? 0,
    query.to ?? END,
    limit + 1,
  );
  const page = pageOf(rows, limit, (row) => row.ordinal);
  return {
    rows: page.rows.map((row) => ({
      ordinal: row.ordinal,
      type: row.item_type,
      seq: seqOfRowId(row.message_id),
    })),
    next: page.next,
  };
}
