import type { Scope } from "../../types.ts";
import { dropSegmentsWith } from "./drop-segments.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Takes the text of summaries, and what would let it be guessed or found. What they were made from stays on record, so
 * that their roots still verify. Answers with how many had something to lose.
 */
export async function blankSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  numbers: readonly number[],
): Promise<number> {
  if (numbers.length === 0) return 0;
  await dropSegmentsWith(transaction, scope, conversationId, "summary", numbers);
  return transaction.run(
    `UPDATE summaries SET encoding = 'erased', content = NULL, content_size = 0, content_hash = NULL, file_ids = '[]'
     WHERE tenant = $1 AND conversation_id = $2 AND summary_number = ANY($3::bigint[])
       AND (encoding <> 'erased' OR content IS NOT NULL OR content_hash IS NOT NULL)`,
    scope.tenant,
    conversationId,
    numbers,
  );
}
