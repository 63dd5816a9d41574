/** Removes content for good. What stays is the place it had: seq, role, times and a digest that says nothing. */
import type { Scope } from "../../types.ts";
import { CONTENT_KEY_PREFIX } from "../seal.ts";
import { type EraseWrite, ORDINAL_GAP } from "../store.ts";
import { writeAudit } from "./audit-log.ts";
import { dropContextItem } from "./context-items.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { blankParts } from "./message-parts.ts";
import { insertExclusion } from "./messages.ts";
import { dropReceiptsBehind } from "./receipts.ts";
import { messageRowId } from "./rows.ts";
import { takeApartAbove } from "./take-apart.ts";

export function erase(
  database: Database,
  scope: Scope,
  write: EraseWrite,
): { messages: number; lines: number } {
  const { conversation_id } = requireConversation(database, scope, write.id);
  let messages = 0;
  for (const seq of write.seqs) messages += eraseMessage(database, conversation_id, seq, write.at);
  let lines = 0;
  for (const { transcript, line } of write.lines)
    lines += eraseLine(database, conversation_id, transcript, line);
  database.run(
    "UPDATE conversations SET title = ?, updated_at = ? WHERE conversation_id = ?",
    write.title,
    write.at,
    conversation_id,
  );
  writeAudit(database, scope, write.audit);
  return { messages, lines };
}

function eraseMessage(database: Database, conversationId: number, seq: number, at: string): number {
  const id = messageRowId(conversationId, seq);
  const erased = database.run(
    `UPDATE messages SET encoding = 'erased', content = NULL, salt = NULL, erased_at = ?,
       message_key = iif(message_key GLOB ?, 'erased:' || seq, message_key)
     WHERE message_id = ? AND erased_at IS NULL`,
    at,
    `${CONTENT_KEY_PREFIX}*`,
    id,
  );
  if (erased === 0) return 0;
  takeApartAbove(database, conversationId, seq);
  eraseSummariesOf(database, conversationId, seq);
  blankParts(database, id);
  dropContextItem(database, conversationId, seq * ORDINAL_GAP);
  insertExclusion(database, conversationId, seq, "erased");
  dropReceiptsBehind(database, conversationId, seq);
  forgetLineHashes(database, conversationId, "message_id = ?", id);
  return erased;
}

/** Every summary that was made from the message, at any depth, in the context or out of it. */
function eraseSummariesOf(database: Database, conversationId: number, seq: number): void {
  database.run(
    `UPDATE summaries SET encoding = 'erased', content = NULL WHERE conversation_id = ? AND summary_number IN (
       WITH RECURSIVE above (summary_number) AS (
         SELECT summary_number FROM summary_messages WHERE conversation_id = ? AND seq = ?
         UNION SELECT p.summary_number FROM summary_parents p JOIN above a ON a.summary_number = p.parent_number
           WHERE p.conversation_id = ?)
       SELECT summary_number FROM above)`,
    conversationId,
    conversationId,
    seq,
    conversationId,
  );
}

function eraseLine(database: Database, conversationId: number, transcript: number, line: number): number {
  forgetLineHashes(database, conversationId, "transcript = ? AND line = ?", transcript, line);
  return database.run(
    `UPDATE transcript_lines SET kind = 'erased', content = NULL, encoding = NULL, problem = NULL
     WHERE conversation_id = ? AND transcript = ? AND line = ? AND kind <> 'message'`,
    conversationId,
    transcript,
    line,
  );
}

/** A hash of a short line can be guessed, so it goes with the line, also where the transcript's state repeats it. */
function forgetLineHashes(
  database: Database,
  conversationId: number,
  which: string,
  ...values: number[]
): void {
  database.run(
    `UPDATE conversation_bootstrap_state SET last_processed_entry_hash = NULL
     WHERE conversation_id = ? AND last_processed_entry_hash IN
       (SELECT line_hash FROM transcript_lines WHERE conversation_id = ? AND ${which})`,
    conversationId,
    conversationId,
    ...values,
  );
  database.run(
    `UPDATE transcript_lines SET line_hash = NULL WHERE conversation_id = ? AND ${which}`,
    conversationId,
    ...values,
  );
}
