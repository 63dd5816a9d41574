/** What a message costs, changed without its words: in its row, in the context, and in the sums of its conversation. */
import type { Scope } from "../../types.ts";
import { ORDINAL_GAP } from "../store.ts";
import { recountContext } from "./context-items.ts";
import type { Transaction } from "./transaction.ts";

export interface MessageTokens {
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

/** Without the sums: whoever changes many messages counts once, with `recount`. */
export function setTokens(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seq: number,
  { tokenCount, stubTokenCount }: MessageTokens,
): void {
  const values = [scope.tenant, conversationId, seq, tokenCount, stubTokenCount];
  transaction.send(
    `UPDATE messages SET token_count = $4, stub_token_count = $5
     WHERE tenant = $1 AND conversation_id = $2 AND seq = $3`,
    ...values,
  );
  transaction.send(
    `UPDATE context_items SET token_count = $4, stub_token_count = $5 WHERE tenant = $1 AND conversation_id = $2
       AND ordinal = $3::bigint * ${ORDINAL_GAP} AND item_type = 'message'`,
    ...values,
  );
}

export function recount(transaction: Transaction, scope: Scope, conversationId: number): void {
  transaction.send(
    `UPDATE conversations SET token_count =
       (SELECT coalesce(sum(token_count), 0) FROM messages WHERE tenant = $1 AND conversation_id = $2)
     WHERE tenant = $1 AND conversation_id = $2`,
    scope.tenant,
    conversationId,
  );
  recountContext(transaction, scope, conversationId);
}
