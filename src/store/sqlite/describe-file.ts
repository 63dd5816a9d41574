/** Gives a file the words of a model, while its message stands in the context as itself. */
import type { Scope } from "../../types.ts";
import { cannotDescribe } from "../describe-busy.ts";
import type { DescribeFileWrite, ModelDescription } from "../file-store.ts";
import { type DumpedFile, ORDINAL_GAP } from "../store.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { type MessageTokens, recount, setTokens } from "./message-tokens.ts";

const STANDS = `EXISTS (SELECT 1 FROM context_items c WHERE c.conversation_id = large_files.conversation_id
  AND c.ordinal = large_files.seq * ${ORDINAL_GAP} AND c.item_type = 'message')`;

/** The seq of its message. */
export function describeFile(database: Database, scope: Scope, write: DescribeFileWrite): number {
  const { conversation_id } = requireConversation(database, scope, write.id);
  const seq = describeWhere(database, conversation_id, write.file, write, STANDS);
  if (seq === undefined) throw cannotDescribe(write.file);
  setTokens(database, conversation_id, seq, write);
  database.run(
    "UPDATE conversations SET updated_at = ? WHERE conversation_id = ?",
    write.at,
    conversation_id,
  );
  recount(database, conversation_id);
  return seq;
}

/** From a dump, for a file that is here without: summaries that come behind it were counted with it. */
export function takeDescription(
  database: Database,
  conversationId: number,
  { id, described }: DumpedFile,
  tokens: MessageTokens,
): void {
  if (described === null) return;
  const seq = describeWhere(database, conversationId, id, described, "true");
  if (seq === undefined) return;
  setTokens(database, conversationId, seq, tokens);
  recount(database, conversationId);
}

/** Undefined when it is not there, described already, or in a summary. */
function describeWhere(
  database: Database,
  conversationId: number,
  file: string,
  { text, model, at }: ModelDescription,
  condition: string,
): number | undefined {
  return database.one<{ seq: number }>(
    `UPDATE large_files SET model_summary = ?, model = ?, model_summary_at = ?
     WHERE conversation_id = ? AND file_id = ? AND model_summary IS NULL
       AND NOT EXISTS (SELECT 1 FROM summary_messages s WHERE s.conversation_id = large_files.conversation_id
         AND s.seq = large_files.seq)
       AND ${condition}
     RETURNING seq`,
    text,
    model,
    at,
    conversationId,
    file,
  )?.seq;
}
