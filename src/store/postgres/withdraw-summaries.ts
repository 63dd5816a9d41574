/**
 * Takes summaries back that are not what was written, and whatever was made from them: their words may have gone into
 * it, and its root covers theirs. A repair puts what they cover back into the context.
 */
import type { Scope } from "../../types.ts";
import type { ReindexWrite } from "../store.ts";
import { blankSummaries } from "./blank-summaries.ts";
import { dropSegmentsWith } from "./drop-segments.ts";
import { forgetMissingSummaries } from "./missing-summaries.ts";
import type { Transaction } from "./transaction.ts";

type Withdrawn = Pick<ReindexWrite, "eraseSummaries" | "dropSummaries" | "forgetMissing">;

export async function withdrawSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  write: Withdrawn,
): Promise<void> {
  const target = [transaction, scope, conversationId] as const;
  await blankSummaries(...target, await withThoseAbove(...target, write.eraseSummaries));
  await dropSummaries(...target, await withThoseAbove(...target, write.dropSummaries));
  if (write.forgetMissing) forgetMissingSummaries(...target);
}

/** The numbers of these summaries, and of all that were made from them, at any depth. */
async function withThoseAbove(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  ids: readonly string[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.rows<{ summary_number: number }>(
    `WITH RECURSIVE above (summary_number) AS (
       SELECT summary_number FROM summaries
       WHERE tenant = $1 AND conversation_id = $2 AND summary_id = ANY($3::text[])
     UNION
       SELECT p.summary_number FROM above
       JOIN summary_parents p
         ON p.tenant = $1 AND p.conversation_id = $2 AND p.parent_number = above.summary_number)
     SELECT summary_number FROM above`,
    scope.tenant,
    conversationId,
    ids,
  );
  return rows.map(({ summary_number }) => summary_number);
}

/** Links and events point to summaries, so they go first. */
async function dropSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await dropSegmentsWith(transaction, scope, conversationId, "summary", numbers);
  for (const table of ["summary_messages", "summary_parents", "compaction_events", "summaries"])
    transaction.send(
      `DELETE FROM ${table} WHERE tenant = $1 AND conversation_id = $2 AND summary_number = ANY($3::bigint[])`,
      scope.tenant,
      conversationId,
      numbers,
    );
}
