/** Gives a file the words of a model, while its message stands in the context as itself. */
import type { Scope } from "../../types.ts";
import { cannotDescribe } from "../describe-busy.ts";
import type { DescribeFileWrite } from "../file-store.ts";
import { ORDINAL_GAP } from "../store.ts";
import { requireConversation } from "./conversations.ts";
import { recount, setTokens } from "./message-tokens.ts";
import { withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** The seq of its message. */
export async function describeFile(
  transaction: Transaction,
  scope: Scope,
  write: DescribeFileWrite,
): Promise<number> {
  const { conversation_id } = await requireConversation(transaction, scope, write.id);
  const changed = await transaction.rows<{ seq: number }>(
    `UPDATE large_files f SET model_summary = $4, model = $5, model_summary_at = $6
     WHERE f.tenant = $1 AND f.conversation_id = $2 AND f.file_id = $3 AND f.model_summary IS NULL
       AND EXISTS (SELECT FROM context_items c WHERE c.tenant = $1 AND c.conversation_id = $2
         AND c.ordinal = f.seq * ${ORDINAL_GAP} AND c.item_type = 'message')
       AND NOT EXISTS (SELECT FROM summary_messages s WHERE s.tenant = $1 AND s.conversation_id = $2
         AND s.seq = f.seq)
     RETURNING f.seq`,
    scope.tenant,
    conversation_id,
    write.file,
    withoutNul(write.text),
    withoutNul(write.model),
    write.at,
  );
  const [row] = changed;
  if (row === undefined) throw cannotDescribe(write.file);
  setTokens(transaction, scope, conversation_id, row.seq, write);
  recount(transaction, scope, conversation_id);
  return row.seq;
}
