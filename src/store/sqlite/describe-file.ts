/** Gives a file the words of a model, while its message stands in the context as itself. */
import type { Scope } from "../../types.ts";
import { cannotDescribe } from "../describe-busy.ts";
import type { DescribeFileWrite } from "../file-store.ts";
import { ORDINAL_GAP } from "../store.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { recount, setTokens } from "./message-tokens.ts";

/** The seq of its message. */
export function describeFile(database: Database, scope: Scope, write: DescribeFileWrite): number {
  const { conversation_id } = requireConversation(database, scope, write.id);
  const row = database.one<{ seq: number }>(
    `UPDATE large_files SET model_summary = ?, model = ?, model_summary_at = ?
     WHERE conversation_id = ? AND file_id = ? AND model_summary IS NULL
       AND EXISTS (SELECT 1 FROM context_items c WHERE c.conversation_id = large_files.conversation_id
         AND c.ordinal = large_files.seq * ${ORDINAL_GAP} AND c.item_type = 'message')
       AND NOT EXISTS (SELECT 1 FROM summary_messages s WHERE s.conversation_id = large_files.conversation_id
         AND s.seq = large_files.seq)
     RETURNING seq`,
    write.text,
    write.model,
    write.at,
    conversation_id,
    write.file,
  );
  if (row === undefined) throw cannotDescribe(write.file);
  setTokens(database, conversation_id, row.seq, write);
  recount(database, conversation_id);
  return row.seq;
}
