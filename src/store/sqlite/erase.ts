/** Removes content for good. What stays is the place it had: seq, role, times and a digest that says nothing. */
import type { Scope } from "../../types.ts";
import { namingErased } from "../naming-erased.ts";
import { CONTENT_KEY_PREFIX } from "../seal.ts";
import { type EraseWrite, ORDINAL_GAP, type WriteResult } from "../store.ts";
import { writeAudit } from "./audit-log.ts";
import { blankSummaries } from "./blank-summaries.ts";
import { dropContextItem } from "./context-items.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { dropSegmentsWith } from "./drop-segments.ts";
import { forgetSources } from "./forget-sources.ts";
import { dropFiles } from "./large-files.ts";
import { blankParts } from "./message-parts.ts";
import { dropMessageVectors } from "./message-vectors.ts";
import { insertExclusion } from "./messages.ts";
import { dropReceiptsBehind } from "./receipts.ts";
import { messageRowId } from "./rows.ts";
import { SUMMARIES_ABOVE, takeApartAbove } from "./take-apart.ts";

export function erase(
  database: Database,
  scope: Scope,
  write: EraseWrite,
): Omit<Extract<WriteResult, { kind: "erase" }>, "kind"> {
  const { conversation_id } = requireConversation(database, scope, write.id);
  const seqs = write.seqs.filter((seq) => blankMessage(database, conversation_id, seq, write.at));
  const summaries = forgetMessages(database, conversation_id, seqs, write.retold);
  let lines = 0;
  for (const { transcript, line } of write.lines)
    lines += eraseLine(database, conversation_id, transcript, line);
  database.run(
    "UPDATE conversations SET title = ?, updated_at = ? WHERE conversation_id = ?",
    write.title,
    write.at,
    conversation_id,
  );
  const erasure = { tenant: scope.tenant, conversation: write.id, seqs, at: write.at };
  const memories = forgetSources(database, erasure);
  writeAudit(database, scope, namingErased(write.audit, memories));
  return {
    messages: seqs.length,
    summaries,
    lines,
    memories: memories.erased.length,
    restored: memories.restored,
  };
}

/** False when there is nothing to erase. */
function blankMessage(database: Database, conversationId: number, seq: number, at: string): boolean {
  const erased = database.run(
    `UPDATE messages SET encoding = 'erased', content = NULL, salt = NULL, large_content = NULL,
       stub_token_count = NULL, erased_at = ?,
       message_key = iif(message_key GLOB ?, 'erased:' || seq, message_key)
     WHERE message_id = ? AND erased_at IS NULL`,
    at,
    `${CONTENT_KEY_PREFIX}*`,
    messageRowId(conversationId, seq),
  );
  return erased > 0;
}

/** Removes whatever was made from the messages. Answers with how many summaries lost their text. */
function forgetMessages(
  database: Database,
  conversationId: number,
  seqs: readonly number[],
  retold: readonly number[],
): number {
  if (seqs.length === 0) return 0;
  takeApartAbove(database, conversationId, [...seqs, ...retold]);
  const summaries = eraseSummariesAbove(database, conversationId, [...seqs, ...retold]);
  for (const seq of seqs) {
    const id = messageRowId(conversationId, seq);
    blankParts(database, id);
    dropFiles(database, conversationId, seq, seq);
    dropContextItem(database, conversationId, seq * ORDINAL_GAP);
    insertExclusion(database, conversationId, seq, "erased");
    forgetLineHashes(database, conversationId, "message_id = ?", id);
  }
  dropSegmentsWith(database, conversationId, "message", seqs);
  dropMessageVectors(database, conversationId, seqs);
  const first = seqs.reduce((least, seq) => Math.min(least, seq));
  dropReceiptsBehind(database, conversationId, first);
  return summaries;
}

export function eraseSummariesAbove(
  database: Database,
  conversationId: number,
  seqs: readonly number[],
): number {
  const above = database.all<{ summary_number: number }>(
    `${SUMMARIES_ABOVE} SELECT summary_number FROM above`,
    conversationId,
    JSON.stringify(seqs),
  );
  return blankSummaries(
    database,
    conversationId,
    above.map(({ summary_number }) => summary_number),
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
