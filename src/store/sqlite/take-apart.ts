/** Puts what summaries were made from back into the context in their place, as far down as it must be. */
import { ORDINAL_GAP } from "../store.ts";
import { dropContextItem, placeMessage, placeSummary, type TokenRow } from "./context-items.ts";
import type { Database } from "./database.ts";
import { messageRowId } from "./rows.ts";

/**
 * Every summary of a conversation (first value) that was made from one of the messages (second value, a JSON list of
 * seqs), at any depth, in the context or out of it.
 */
export const SUMMARIES_ABOVE = `WITH RECURSIVE given (id, seqs) AS (VALUES (?, ?)),
  above (summary_number) AS (
    SELECT e.summary_number FROM given CROSS JOIN json_each(given.seqs) wanted
      CROSS JOIN summary_messages e ON e.conversation_id = given.id AND e.seq = wanted.value
    UNION
    SELECT p.summary_number FROM given CROSS JOIN above
      CROSS JOIN summary_parents p ON p.conversation_id = given.id AND p.parent_number = above.summary_number)`;

/** Takes apart every summary of the context that covers one of the messages, at any depth, and no other. */
export function takeApartAbove(database: Database, conversationId: number, seqs: readonly number[]): void {
  const above = new Map(
    database
      .all<{ summary_number: number; ordinal: number | null }>(
        `${SUMMARIES_ABOVE}
         SELECT s.summary_number, c.ordinal FROM given CROSS JOIN above
         CROSS JOIN summaries s ON s.conversation_id = given.id AND s.summary_number = above.summary_number
         LEFT JOIN context_items c ON c.conversation_id = given.id AND c.ordinal = s.first_seq * ${ORDINAL_GAP}
           AND c.summary_number = s.summary_number`,
        conversationId,
        JSON.stringify(seqs),
      )
      .map(({ summary_number, ordinal }) => [summary_number, ordinal]),
  );
  for (const [number, ordinal] of above) {
    if (ordinal === null) continue;
    dropContextItem(database, conversationId, ordinal);
    uncover(database, conversationId, number, (source) => above.has(source));
  }
}

/** Takes apart summaries that cover messages on both sides of this one, so that it can stand between them. */
export function takeApartAround(database: Database, conversationId: number, seq: number): void {
  for (;;) {
    const around = database.one<{ ordinal: number; summary_number: number }>(
      `SELECT c.ordinal, c.summary_number FROM (
         SELECT * FROM context_items WHERE conversation_id = ? AND ordinal <= ? ORDER BY ordinal DESC LIMIT 1) c
       JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
       WHERE s.last_seq > ?`,
      conversationId,
      seq * ORDINAL_GAP,
      seq,
    );
    if (around === undefined) return;
    dropContextItem(database, conversationId, around.ordinal);
    uncover(database, conversationId, around.summary_number, () => false);
  }
}

/** Sources that must not stand themselves are replaced by theirs. */
function uncover(
  database: Database,
  conversationId: number,
  number: number,
  isBroken: (source: number) => boolean,
): void {
  const sources = database.all<{ summary_number: number; first_seq: number; token_count: number }>(
    `SELECT s.summary_number, s.first_seq, s.token_count FROM summary_parents p
     JOIN summaries s ON s.conversation_id = p.conversation_id AND s.summary_number = p.parent_number
     WHERE p.conversation_id = ? AND p.summary_number = ? ORDER BY p.ordinal`,
    conversationId,
    number,
  );
  for (const { summary_number, first_seq, token_count } of sources)
    if (isBroken(summary_number)) uncover(database, conversationId, summary_number, isBroken);
    else placeSummary(database, conversationId, first_seq * ORDINAL_GAP, summary_number, token_count);
  uncoverMessages(database, conversationId, number);
}

function uncoverMessages(database: Database, conversationId: number, summaryNumber: number): void {
  const messages = database.all<TokenRow & { seq: number }>(
    `SELECT e.seq, m.token_count, m.stub_token_count FROM summary_messages e JOIN messages m ON m.message_id = ? + e.seq
     WHERE e.conversation_id = ? AND e.summary_number = ?
       AND NOT EXISTS (SELECT 1 FROM context_exclusions x WHERE x.message_id = m.message_id)`,
    messageRowId(conversationId, 0),
    conversationId,
    summaryNumber,
  );
  for (const { seq, ...tokens } of messages) placeMessage(database, conversationId, seq, tokens);
}
