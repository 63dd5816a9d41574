/** Removes content for good. What stays is the place it had: seq, role, times and a digest that says nothing. */
import type { Scope } from "../../types.ts";
import { namingErased } from "../naming-erased.ts";
import { CONTENT_KEY_PREFIX } from "../seal.ts";
import { type EraseWrite, ORDINAL_GAP, type WriteResult } from "../store.ts";
import { writeAudit } from "./audit-log.ts";
import { blankSummaries } from "./blank-summaries.ts";
import { dropContextItems, insertExclusions } from "./context-items.ts";
import { type ConversationRow, requireConversation } from "./conversations.ts";
import { dropSegmentsWith } from "./drop-segments.ts";
import { dropFiles } from "./large-files.ts";
import { eraseMadeFrom } from "./memory/erase-memories.ts";
import { blankParts } from "./message-parts.ts";
import { dropReceiptsBehind } from "./receipts.ts";
import { withoutNul } from "./rows.ts";
import { SUMMARIES_ABOVE, takeApartAbove } from "./take-apart.ts";
import type { Transaction } from "./transaction.ts";
import { dropMessageVectors } from "./vectors/embed-messages.ts";

export async function erase(
  transaction: Transaction,
  scope: Scope,
  write: EraseWrite,
): Promise<Omit<Extract<WriteResult, { kind: "erase" }>, "kind">> {
  const conversation = await requireConversation(transaction, scope, write.id);
  const { conversation_id } = conversation;
  const seqs = await blankMessages(transaction, scope, conversation_id, write);
  const summaries = await forgetMessages(transaction, scope, conversation, seqs, write.retold);
  const memories = await eraseMadeFrom(transaction, scope.tenant, write.id, write.at, seqs);
  const lines = eraseLines(transaction, scope, conversation_id, write.lines);
  transaction.send(
    "UPDATE conversations SET title = $3, updated_at = $4 WHERE tenant = $1 AND conversation_id = $2",
    scope.tenant,
    conversation_id,
    withoutNul(write.title),
    write.at,
  );
  writeAudit(transaction, scope, namingErased(write.audit, memories));
  return {
    messages: seqs.length,
    summaries,
    lines: await lines,
    memories: memories.erased.length,
    restored: memories.restored,
  };
}

/** Answers with the messages that held something until now. */
async function blankMessages(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  write: EraseWrite,
): Promise<readonly number[]> {
  if (write.seqs.length === 0) return [];
  const erased = await transaction.rows<{ seq: number }>(
    `UPDATE messages SET encoding = 'erased', content = NULL, content_size = 0, salt = NULL, erased_at = $4,
       large_content = NULL, stub_token_count = NULL,
       message_key = CASE WHEN starts_with(message_key, '${CONTENT_KEY_PREFIX}')
         THEN 'erased:' || seq ELSE message_key END
     WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[]) AND erased_at IS NULL RETURNING seq`,
    scope.tenant,
    conversationId,
    write.seqs,
    write.at,
  );
  return erased.map((row) => row.seq);
}

/** Removes whatever was made from the messages. Answers with how many summaries lost their text. */
async function forgetMessages(
  transaction: Transaction,
  scope: Scope,
  conversation: ConversationRow,
  seqs: readonly number[],
  retold: readonly number[],
): Promise<number> {
  if (seqs.length === 0) return 0;
  const target = [transaction, scope, conversation.conversation_id] as const;
  await takeApartAbove(transaction, scope, conversation, [...seqs, ...retold]);
  await dropSegmentsWith(...target, "message", seqs);
  dropMessageVectors(...target, seqs);
  const summaries = await eraseSummariesAbove(...target, [...seqs, ...retold]);
  await dropFiles(...target, seqs);
  blankParts(...target, seqs);
  dropContextItems(
    ...target,
    seqs.map((seq) => seq * ORDINAL_GAP),
  );
  insertExclusions(...target, new Map(seqs.map((seq) => [seq, "erased"])));
  dropReceiptsBehind(
    ...target,
    seqs.reduce((first, seq) => Math.min(first, seq)),
  );
  const values = [scope.tenant, conversation.conversation_id, seqs];
  forgetLineHashes(transaction, "l.seq = ANY($3::bigint[])", ...values);
  return summaries;
}

export async function eraseSummariesAbove(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seqs: readonly number[],
): Promise<number> {
  const above = await transaction.rows<{ summary_number: number }>(
    `WITH RECURSIVE ${SUMMARIES_ABOVE} SELECT summary_number FROM above`,
    scope.tenant,
    conversationId,
    seqs,
  );
  const numbers = above.map(({ summary_number }) => summary_number);
  return blankSummaries(transaction, scope, conversationId, numbers);
}

/** The lines listed, as pairs of transcript and line number. */
const LISTED = "(l.transcript, l.line) IN (SELECT * FROM unnest($3::integer[], $4::bigint[]))";

async function eraseLines(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  lines: EraseWrite["lines"],
): Promise<number> {
  if (lines.length === 0) return 0;
  const values = [
    scope.tenant,
    conversationId,
    lines.map((line) => line.transcript),
    lines.map((line) => line.line),
  ];
  forgetLineHashes(transaction, LISTED, ...values);
  return transaction.run(
    `UPDATE transcript_lines l SET kind = 'erased', content = NULL, content_size = 0, encoding = NULL, problem = NULL
     WHERE l.tenant = $1 AND l.conversation_id = $2 AND ${LISTED} AND l.kind <> 'message'`,
    ...values,
  );
}

/** A hash of a short line can be guessed, so it goes with the line, also where the transcript's state repeats it. */
function forgetLineHashes(transaction: Transaction, which: string, ...values: readonly unknown[]): void {
  transaction.send(
    `UPDATE conversation_bootstrap_state SET last_processed_entry_hash = NULL
     WHERE tenant = $1 AND conversation_id = $2 AND last_processed_entry_hash IN
       (SELECT l.line_hash FROM transcript_lines l WHERE l.tenant = $1 AND l.conversation_id = $2 AND ${which})`,
    ...values,
  );
  transaction.send(
    `UPDATE transcript_lines l SET line_hash = NULL WHERE l.tenant = $1 AND l.conversation_id = $2 AND ${which}`,
    ...values,
  );
}
