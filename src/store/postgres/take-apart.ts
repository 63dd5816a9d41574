/** Puts what summaries were made from back into the context in their place, as far down as it must be. */
import type { Scope } from "../../types.ts";
import { ORDINAL_GAP } from "../store.ts";
import {
  adjustCounters,
  countItems,
  dropContextItems,
  insertContextItems,
  type NewContextItem,
} from "./context-items.ts";
import type { ConversationRow } from "./conversations.ts";
import type { Transaction } from "./transaction.ts";

/** Every summary of conversation ($1, $2) that was made from one of the messages $3, at any depth. */
export const SUMMARIES_ABOVE = `above (summary_number) AS (
    SELECT summary_number FROM summary_messages
    WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[])
  UNION
    SELECT p.summary_number FROM above
    JOIN summary_parents p ON p.tenant = $1 AND p.conversation_id = $2 AND p.parent_number = above.summary_number)`;

/**
 * What stands in the place of `standing` items once they are gone: sources of `broken` summaries that are not
 * broken themselves, and the messages of broken leaves.
 */
const UNCOVERED = `uncovered AS (
      SELECT s.first_seq * ${ORDINAL_GAP} AS ordinal, NULL::bigint AS seq, s.summary_number, s.token_count,
        NULL::integer AS stub_token_count FROM broken
      JOIN summary_parents p ON p.tenant = $1 AND p.conversation_id = $2 AND p.summary_number = broken.summary_number
      JOIN summaries s ON s.tenant = $1 AND s.conversation_id = $2 AND s.summary_number = p.parent_number
      WHERE p.parent_number NOT IN (SELECT summary_number FROM broken)
    UNION
      SELECT m.seq * ${ORDINAL_GAP}, m.seq, NULL, m.token_count, m.stub_token_count FROM broken
      JOIN summary_messages e ON e.tenant = $1 AND e.conversation_id = $2 AND e.summary_number = broken.summary_number
      JOIN messages m ON m.tenant = $1 AND m.conversation_id = $2 AND m.seq = e.seq
      WHERE NOT EXISTS (
        SELECT FROM context_exclusions x WHERE x.tenant = $1 AND x.conversation_id = $2 AND x.seq = e.seq))
  SELECT ordinal, NULL::bigint AS seq, NULL::bigint AS summary_number, 0 AS token_count,
    NULL::integer AS stub_token_count, false AS is_uncovered
  FROM standing
  UNION ALL
  SELECT *, true FROM (
    SELECT DISTINCT ON (ordinal) * FROM uncovered ORDER BY ordinal, summary_number NULLS LAST) one_for_each_place`;

/** Every item that covers one of the messages $3, down to the leaves that do. */
const ABOVE = `
  WITH RECURSIVE ${SUMMARIES_ABOVE},
  standing AS (
    SELECT i.ordinal, i.summary_number FROM above
    JOIN summaries s ON s.tenant = $1 AND s.conversation_id = $2 AND s.summary_number = above.summary_number
    JOIN context_items i ON i.tenant = $1 AND i.conversation_id = $2 AND i.ordinal = s.first_seq * ${ORDINAL_GAP}
      AND i.summary_number = s.summary_number),
  broken (summary_number) AS (
      SELECT summary_number FROM standing
    UNION
      SELECT p.parent_number FROM broken
      JOIN summary_parents p ON p.tenant = $1 AND p.conversation_id = $2 AND p.summary_number = broken.summary_number
      JOIN above ON above.summary_number = p.parent_number),
  ${UNCOVERED}`;

/** Items that cover messages on both sides of one of $3, one step down. */
const AROUND = `
  WITH standing AS (
    SELECT DISTINCT i.ordinal, i.summary_number FROM unnest($3::bigint[]) AS entering(seq)
    CROSS JOIN LATERAL (
      SELECT ordinal, summary_number FROM context_items
      WHERE tenant = $1 AND conversation_id = $2 AND ordinal <= entering.seq * ${ORDINAL_GAP}
      ORDER BY ordinal DESC LIMIT 1) i
    JOIN summaries s ON s.tenant = $1 AND s.conversation_id = $2 AND s.summary_number = i.summary_number
    WHERE s.last_seq > entering.seq),
  broken AS (SELECT summary_number FROM standing),
  ${UNCOVERED}`;

type TakenApartRow = {
  ordinal: number;
  seq: number | null;
  summary_number: number | null;
  token_count: number;
  stub_token_count: number | null;
  is_uncovered: boolean;
};

/** Takes apart every summary of the context that covers one of the messages, at any depth, and no other. */
export async function takeApartAbove(
  transaction: Transaction,
  scope: Scope,
  conversation: ConversationRow,
  seqs: readonly number[],
): Promise<void> {
  if (conversation.last_summary === 0 || seqs.length === 0) return;
  await takeApart(transaction, scope, conversation, ABOVE, seqs);
}

/** Takes apart summaries that cover messages on both sides of one of these, so that it can stand between them. */
export async function takeApartAround(
  transaction: Transaction,
  scope: Scope,
  conversation: ConversationRow,
  seqs: readonly number[],
): Promise<void> {
  if (conversation.last_summary === 0 || seqs.length === 0) return;
  while (await takeApart(transaction, scope, conversation, AROUND, seqs));
}

/** Says whether there was something to take apart. */
async function takeApart(
  transaction: Transaction,
  scope: Scope,
  { conversation_id }: ConversationRow,
  which: string,
  seqs: readonly number[],
): Promise<boolean> {
  const rows = await transaction.rows<TakenApartRow>(which, scope.tenant, conversation_id, seqs);
  if (rows.length === 0) return false;
  const items = rows.filter((row) => row.is_uncovered).map(toNewItem);
  const ordinals = new Set(rows.map((row) => row.ordinal));
  dropContextItems(transaction, scope, conversation_id, [...ordinals]);
  insertContextItems(transaction, scope, conversation_id, items);
  adjustCounters(transaction, scope, conversation_id, countItems(items));
  return true;
}

function toNewItem(row: TakenApartRow): NewContextItem {
  return {
    ordinal: row.ordinal,
    seq: row.seq,
    summaryNumber: row.summary_number,
    tokenCount: row.token_count,
    stubTokenCount: row.stub_token_count,
  };
}
