/** Puts a summary's sources back into the context in its place, as far down as a message that must leave. */
import { ORDINAL_GAP } from "../store.ts";
import { adjustCounters, dropContextItem, insertMessageItem, insertSummaryItem } from "./context-items.ts";
import type { Database } from "./database.ts";
import { messageRowId } from "./rows.ts";

type Covering = { summary_number: number; ordinal: number; last_seq: number };

export function takeApartAbove(database: Database, conversationId: number, seq: number): void {
  for (;;) {
    const covering = database.one<Covering>(
      `SELECT c.summary_number, c.ordinal, s.last_seq FROM context_items c
       JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
       WHERE c.conversation_id = ? AND c.ordinal <= ? ORDER BY c.ordinal DESC LIMIT 1`,
      conversationId,
      seq * ORDINAL_GAP,
    );
    if (covering === undefined || covering.last_seq < seq || !covers(database, conversationId, seq)) return;
    takeApart(database, conversationId, covering);
  }
}

function covers(database: Database, conversationId: number, seq: number): boolean {
  const row = database.one(
    "SELECT 1 AS found FROM summary_messages WHERE conversation_id = ? AND seq = ? LIMIT 1",
    conversationId,
    seq,
  );
  return row !== undefined;
}

function takeApart(database: Database, conversationId: number, { summary_number, ordinal }: Covering): void {
  dropContextItem(database, conversationId, ordinal);
  const sources = database.all<{ summary_number: number; first_seq: number; token_count: number }>(
    `SELECT s.summary_number, s.first_seq, s.token_count FROM summary_parents p
     JOIN summaries s ON s.conversation_id = p.conversation_id AND s.summary_number = p.parent_number
     WHERE p.conversation_id = ? AND p.summary_number = ? ORDER BY p.ordinal`,
    conversationId,
    summary_number,
  );
  for (const source of sources) {
    insertSummaryItem(
      database,
      conversationId,
      source.first_seq * ORDINAL_GAP,
      source.summary_number,
      source.token_count,
    );
    adjustCounters(database, conversationId, 1, source.token_count);
  }
  if (sources.length === 0) uncoverMessages(database, conversationId, summary_number);
}

function uncoverMessages(database: Database, conversationId: number, summaryNumber: number): void {
  const messages = database.all<{ seq: number; token_count: number }>(
    `SELECT e.seq, m.token_count FROM summary_messages e JOIN messages m ON m.message_id = ? + e.seq
     WHERE e.conversation_id = ? AND e.summary_number = ?
       AND NOT EXISTS (SELECT 1 FROM context_exclusions x WHERE x.message_id = m.message_id)`,
    messageRowId(conversationId, 0),
    conversationId,
    summaryNumber,
  );
  for (const { seq, token_count } of messages) {
    insertMessageItem(database, conversationId, seq, token_count);
    adjustCounters(database, conversationId, 1, token_count);
  }
}
