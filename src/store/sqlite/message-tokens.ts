/** What a message costs, changed without its words: in its row, in the context, and in the sums of its conversation. */
import { ORDINAL_GAP } from "../store.ts";
import { recountContext } from "./context-items.ts";
import type { Database } from "./database.ts";
import { messageRowId } from "./rows.ts";

export interface MessageTokens {
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

/** Without the sums: whoever changes many messages counts once, with `recount`. */
export function setTokens(
  database: Database,
  conversationId: number,
  seq: number,
  { tokenCount, stubTokenCount }: MessageTokens,
): void {
  database.run(
    "UPDATE messages SET token_count = ?, stub_token_count = ? WHERE message_id = ?",
    tokenCount,
    stubTokenCount,
    messageRowId(conversationId, seq),
  );
  database.run(
    `UPDATE context_items SET token_count = ?, stub_token_count = ?
     WHERE conversation_id = ? AND ordinal = ? AND item_type = 'message'`,
    tokenCount,
    stubTokenCount,
    conversationId,
    seq * ORDINAL_GAP,
  );
}

export function recount(database: Database, conversationId: number): void {
  database.run(
    `UPDATE conversations SET token_count =
       (SELECT coalesce(sum(token_count), 0) FROM messages WHERE conversation_id = ?1) WHERE conversation_id = ?1`,
    conversationId,
  );
  recountContext(database, conversationId);
}
