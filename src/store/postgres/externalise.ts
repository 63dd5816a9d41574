/** Takes payloads out of messages that are on record, and puts them back. What a message says stays the same. */
import type { Scope } from "../../types.ts";
import type { ExternaliseWrite, InternaliseWrite } from "../file-store.ts";
import { storeContent } from "./content.ts";
import { requireConversation } from "./conversations.ts";
import { type KeptMessage, keepApart } from "./keep-apart.ts";
import { dropFiles } from "./large-files.ts";
import { type MessageTokens, recount, setTokens } from "./message-tokens.ts";
import { readMessagesAt } from "./messages.ts";
import type { Transaction } from "./transaction.ts";

/** Messages that have payloads apart already, or were erased, stay as they are. One at a time: each may be large. */
export async function externalise(
  transaction: Transaction,
  scope: Scope,
  write: ExternaliseWrite,
): Promise<number> {
  const { conversation_id } = await requireConversation(transaction, scope, write.id);
  const seqs = write.messages.flatMap(({ seq, files }) => (files.length === 0 ? [] : [seq]));
  const whole = await seqsWhere(transaction, scope, conversation_id, seqs, "large_content IS NULL");
  let changed = 0;
  for (const { seq, files, ...tokens } of write.messages) {
    if (files.length === 0 || !whole.delete(seq)) continue;
    const [message] = await readMessagesAt(transaction, scope, write.id, [seq]);
    const dated = files.map((file) => ({ ...file, createdAt: write.at }));
    const original = { seq, content: message?.content ?? null, files: dated };
    for (const kept of await keepApart(transaction, scope, conversation_id, [original]))
      updateContent(transaction, scope, conversation_id, kept, tokens);
    changed++;
  }
  recount(transaction, scope, conversation_id);
  return changed;
}

export async function internalise(
  transaction: Transaction,
  scope: Scope,
  write: InternaliseWrite,
): Promise<number> {
  const { conversation_id } = await requireConversation(transaction, scope, write.id);
  const seqs = write.messages.map(({ seq }) => seq);
  const apart = await seqsWhere(transaction, scope, conversation_id, seqs, "large_content IS NOT NULL");
  const changed = [...apart];
  for (const { seq, tokenCount } of write.messages) {
    if (!apart.delete(seq)) continue;
    for (const { content } of await readMessagesAt(transaction, scope, write.id, [seq])) {
      const kept = { message: { seq }, content: storeContent(content ?? ""), largeContent: null };
      updateContent(transaction, scope, conversation_id, kept, { tokenCount, stubTokenCount: null });
    }
  }
  await dropFiles(transaction, scope, conversation_id, changed);
  recount(transaction, scope, conversation_id);
  return changed.length;
}

async function seqsWhere(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seqs: readonly number[],
  which: string,
): Promise<Set<number>> {
  const rows = await transaction.rows<{ seq: number }>(
    `SELECT seq FROM messages
     WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[]) AND erased_at IS NULL AND ${which}`,
    scope.tenant,
    conversationId,
    seqs,
  );
  return new Set(rows.map(({ seq }) => seq));
}

/** Its size is that of the original, which stays the same. */
function updateContent(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  { message: { seq }, content, largeContent }: KeptMessage<{ readonly seq: number }>,
  tokens: MessageTokens,
): void {
  transaction.send(
    `UPDATE messages SET encoding = $4, content = $5, large_content = $6
     WHERE tenant = $1 AND conversation_id = $2 AND seq = $3`,
    scope.tenant,
    conversationId,
    seq,
    content.encoding,
    content.stored,
    largeContent,
  );
  setTokens(transaction, scope, conversationId, seq, tokens);
}
