/** Gives a file the words of a model, while its message stands in the context as itself. */
import type { Scope } from "../../types.ts";
import { cannotDescribe } from "../describe-busy.ts";
import type { DescribeFileWrite, ModelDescription } from "../file-store.ts";
import { type DumpedFile, ORDINAL_GAP } from "../store.ts";
import { requireConversation } from "./conversations.ts";
import { type MessageTokens, recount, setTokens } from "./message-tokens.ts";
import { withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

const STANDS = `EXISTS (SELECT FROM context_items c WHERE c.tenant = $1 AND c.conversation_id = $2
  AND c.ordinal = f.seq * ${ORDINAL_GAP} AND c.item_type = 'message')`;

/** The seq of its message. */
export async function describeFile(
  transaction: Transaction,
  scope: Scope,
  write: DescribeFileWrite,
): Promise<number> {
  const { conversation_id } = await requireConversation(transaction, scope, write.id);
  const seq = await describeWhere(transaction, scope, conversation_id, write.file, write, STANDS);
  if (seq === undefined) throw cannotDescribe(write.file);
  setTokens(transaction, scope, conversation_id, seq, write);
  transaction.send(
    "UPDATE conversations SET updated_at = $3 WHERE tenant = $1 AND conversation_id = $2",
    scope.tenant,
    conversation_id,
    write.at,
  );
  recount(transaction, scope, conversation_id);
  return seq;
}

/** From a dump, for a file that is here without: summaries that come behind it were counted with it. */
export async function takeDescription(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  { id, described }: DumpedFile,
  tokens: MessageTokens,
): Promise<void> {
  if (described === null) return;
  const seq = await describeWhere(transaction, scope, conversationId, id, described, "true");
  if (seq === undefined) return;
  setTokens(transaction, scope, conversationId, seq, tokens);
  recount(transaction, scope, conversationId);
}

/** Undefined when it is not there, described already, or in a summary. */
async function describeWhere(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  file: string,
  { text, model, at }: ModelDescription,
  condition: string,
): Promise<number | undefined> {
  const [row] = await transaction.rows<{ seq: number }>(
    `UPDATE large_files f SET model_summary = $4, model = $5, model_summary_at = $6
     WHERE f.tenant = $1 AND f.conversation_id = $2 AND f.file_id = $3 AND f.model_summary IS NULL
       AND NOT EXISTS (SELECT FROM summary_messages s WHERE s.tenant = $1 AND s.conversation_id = $2
         AND s.seq = f.seq)
       AND ${condition}
     RETURNING f.seq`,
    scope.tenant,
    conversationId,
    file,
    withoutNul(text),
    withoutNul(model),
    at,
  );
  return row?.seq;
}
