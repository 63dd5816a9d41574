/** Changes of the conversation as a whole: its title, whether it is archived, and that it is there at all. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { namingErased } from "../naming-erased.ts";
import type { DeleteConversationWrite, StoredConversation, UpdateConversationWrite } from "../store.ts";
import { writeAudit } from "./audit-log.ts";
import {
  type ConversationRow,
  findConversation,
  requireConversation,
  toConversation,
} from "./conversations.ts";
import { dropSegmentsOf } from "./drop-segments.ts";
import { dropFilesOf } from "./large-files.ts";
import { eraseMadeFrom } from "./memory/erase-memories.ts";
import { withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

export async function updateConversation(
  transaction: Transaction,
  scope: Scope,
  write: UpdateConversationWrite,
): Promise<StoredConversation> {
  const row = await requireConversation(transaction, scope, write.id);
  const changed: ConversationRow = {
    ...row,
    title: write.title === undefined ? row.title : withoutNul(write.title),
    title_is_automatic: write.title === undefined && row.title_is_automatic,
    archived_at: write.archivedAt === undefined ? row.archived_at : write.archivedAt,
    updated_at: write.at,
  };
  if (changed.archived_at === null && row.archived_at !== null)
    await refuseSecondActive(transaction, scope, row);
  transaction.send(
    `UPDATE conversations SET title = $3, title_is_automatic = $4, archived_at = $5, updated_at = $6
     WHERE tenant = $1 AND conversation_id = $2`,
    scope.tenant,
    row.conversation_id,
    changed.title,
    changed.title_is_automatic,
    changed.archived_at,
    changed.updated_at,
  );
  return toConversation(changed);
}

async function refuseSecondActive(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
): Promise<void> {
  const session = row.session_key ?? row.session_id;
  const active = await findConversation(transaction, scope, { sessionId: session, sessionKey: null });
  if (active === undefined) return;
  throw new PalimpsestError("conflict", `session ${session} is active in ${active.uid}`, {
    advice: `Archive that one first: lcm conversations archive ${active.uid}`,
  });
}

/** Every table that belongs to a conversation, children first. */
export const TABLES_BY_CONVERSATION = [
  "compaction_events",
  "summary_messages",
  "summary_parents",
  "summaries",
  "transcript_lines",
  "conversation_bootstrap_state",
  "context_items",
  "context_exclusions",
  "assembly_receipts",
  "turns",
  "message_parts",
  "message_vectors",
  "message_vector_bits",
  "vector_progress",
] as const;

export async function deleteConversation(
  transaction: Transaction,
  scope: Scope,
  write: DeleteConversationWrite,
): Promise<{ messages: number; memories: number }> {
  const { conversation_id } = await requireConversation(transaction, scope, write.id);
  await dropSegmentsOf(transaction, scope, conversation_id);
  const values = [scope.tenant, conversation_id];
  for (const table of TABLES_BY_CONVERSATION)
    transaction.send(`DELETE FROM ${table} WHERE tenant = $1 AND conversation_id = $2`, ...values);
  const messages = transaction.run(
    "DELETE FROM messages WHERE tenant = $1 AND conversation_id = $2",
    ...values,
  );
  await dropFilesOf(transaction, scope, conversation_id);
  const memories = await eraseMadeFrom(transaction, scope.tenant, write.id, write.audit.at, null);
  transaction.send("DELETE FROM conversations WHERE tenant = $1 AND conversation_id = $2", ...values);
  writeAudit(transaction, scope, namingErased(write.audit, memories));
  return { messages: await messages, memories: memories.erased.length };
}
