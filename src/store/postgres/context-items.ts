/** The ordered list that the model sees. */
import type { ExclusionReason, Scope } from "../../types.ts";
import { type ContextItem, ORDINAL_GAP, type Page, type RangeQuery } from "../store.ts";
import { CONVERSATION_ID } from "./conversations.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/** A row of the context: a message by its seq, or a summary by its number. */
export interface NewContextItem {
  readonly ordinal: number;
  readonly seq: number | null;
  readonly summaryNumber: number | null;
  readonly tokenCount: number;
  /** Null when it has no results that are shown as stubs. */
  readonly stubTokenCount: number | null;
}

/** The place of a message that nobody has moved. */
export function contextItemOf(message: {
  readonly seq: number;
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}): NewContextItem {
  const { seq, tokenCount, stubTokenCount } = message;
  return { ordinal: seq * ORDINAL_GAP, seq, summaryNumber: null, tokenCount, stubTokenCount };
}

/** Without the conversation's counters: who adds many items moves them once, with `Counts`. */
export function insertContextItems(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  items: readonly NewContextItem[],
): void {
  if (items.length === 0) return;
  transaction.send(
    `INSERT INTO context_items (tenant, conversation_id, ordinal, item_type, seq, summary_number, token_count,
       stub_token_count)
     SELECT $1::text, $2::bigint, *
     FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::integer[], $8::integer[])`,
    scope.tenant,
    conversationId,
    items.map((item) => item.ordinal),
    items.map((item) => (item.seq === null ? "summary" : "message")),
    items.map((item) => item.seq),
    items.map((item) => item.summaryNumber),
    items.map((item) => item.tokenCount),
    items.map((item) => item.stubTokenCount),
  );
}

/** Messages that come as items alone, from a dump, get what they cost, also as stubs, from their rows. */
export function takeCounts(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seqs: readonly number[],
): void {
  if (seqs.length === 0) return;
  transaction.send(
    `UPDATE context_items i SET token_count = m.token_count, stub_token_count = m.stub_token_count
     FROM unnest($3::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
       SELECT token_count, stub_token_count FROM messages
       WHERE tenant = $1 AND conversation_id = $2 AND seq = wanted.seq LIMIT 1) m
     WHERE i.tenant = $1 AND i.conversation_id = $2 AND i.ordinal = wanted.seq * ${ORDINAL_GAP}
       AND i.item_type = 'message'
       AND (i.token_count, i.stub_token_count) IS DISTINCT FROM (m.token_count, m.stub_token_count)`,
    scope.tenant,
    conversationId,
    seqs,
  );
}

/** Items of the context and their tokens. */
export interface Counts {
  readonly items: number;
  readonly tokens: number;
  /** The same with every result as a stub. */
  readonly stubTokens: number;
}

export function countItems(
  items: readonly { readonly tokenCount: number; readonly stubTokenCount: number | null }[],
): Counts {
  return {
    items: items.length,
    tokens: items.reduce((sum, item) => sum + item.tokenCount, 0),
    stubTokens: items.reduce((sum, item) => sum + (item.stubTokenCount ?? item.tokenCount), 0),
  };
}

export function adjustCounters(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  change: Counts,
): void {
  transaction.send(
    `UPDATE conversations SET context_items = context_items + $3, context_tokens = context_tokens + $4,
       context_stub_tokens = context_stub_tokens + $5
     WHERE tenant = $1 AND conversation_id = $2`,
    scope.tenant,
    conversationId,
    change.items,
    change.tokens,
    change.stubTokens,
  );
}

/** Counts the context anew. */
export function recountContext(transaction: Transaction, scope: Scope, conversationId: number): void {
  transaction.send(
    `UPDATE conversations SET context_items = counted.items, context_tokens = counted.tokens,
       context_stub_tokens = counted.stub_tokens
     FROM (SELECT count(*) AS items, coalesce(sum(token_count), 0) AS tokens,
         coalesce(sum(coalesce(stub_token_count, token_count)), 0) AS stub_tokens FROM context_items
       WHERE tenant = $1 AND conversation_id = $2) counted
     WHERE tenant = $1 AND conversation_id = $2`,
    scope.tenant,
    conversationId,
  );
}

/** Ends a statement that changes items: moves the counters of conversation ($1, $2) by the rows of `changed`. */
export function countChanged(sign: "+" | "-", changed: string): string {
  return `UPDATE conversations
    SET context_items = context_items ${sign} change.items, context_tokens = context_tokens ${sign} change.tokens,
      context_stub_tokens = context_stub_tokens ${sign} change.stub_tokens
    FROM (SELECT count(*) AS items, sum(token_count) AS tokens,
        sum(coalesce(stub_token_count, token_count)) AS stub_tokens FROM ${changed}) change
    WHERE tenant = $1 AND conversation_id = $2 AND change.items > 0`;
}

export function dropContextItems(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  ordinals: readonly number[],
): void {
  if (ordinals.length === 0) return;
  transaction.send(
    `WITH gone AS (
       DELETE FROM context_items WHERE tenant = $1 AND conversation_id = $2 AND ordinal = ANY($3::bigint[])
       RETURNING token_count, stub_token_count)
     ${countChanged("-", "gone")}`,
    scope.tenant,
    conversationId,
    ordinals,
  );
}

export function insertExclusions(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  exclusions: ReadonlyMap<number, ExclusionReason>,
): void {
  if (exclusions.size === 0) return;
  transaction.send(
    `INSERT INTO context_exclusions (tenant, conversation_id, seq, reason)
     SELECT $1::text, $2::bigint, * FROM unnest($3::bigint[], $4::text[])
     ON CONFLICT (tenant, conversation_id, seq) DO UPDATE SET reason = excluded.reason`,
    scope.tenant,
    conversationId,
    [...exclusions.keys()],
    [...exclusions.values()],
  );
}

/** The items of a range of ordinals ($4 to $5), one more than $6, as a row source for `page`. */
export const ITEM_PAGE = `(
  SELECT * FROM context_items WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID} AND ordinal BETWEEN $4 AND $5
  ORDER BY ordinal LIMIT $6::bigint + 1)`;

/** The summary of the item in `page`. One lookup for each item, whatever the planner knows about the tables. */
export const SUMMARY_OF_ITEM = `LEFT JOIN LATERAL (
  SELECT * FROM summaries WHERE tenant = page.tenant AND conversation_id = page.conversation_id
    AND summary_number = page.summary_number LIMIT 1) summary ON true`;

export function itemPageValues(scope: Scope, conversation: string, query: RangeQuery): readonly unknown[] {
  const { from = 0, to = END, limit = DEFAULT_LIMIT } = query;
  return [scope.tenant, scope.agent, conversation, from, to, limit];
}

type ContextItemRow = {
  ordinal: number;
  seq: number | null;
  summary_id: string | null;
  token_count: number;
};

export async function readContextItems(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<ContextItem>> {
  const rows = await session.rows<ContextItemRow>(
    `SELECT page.ordinal, page.seq, page.token_count, summary.summary_id FROM ${ITEM_PAGE} page ${SUMMARY_OF_ITEM}
     ORDER BY page.ordinal`,
    ...itemPageValues(scope, conversation, query),
  );
  const page = pageOf(rows, query.limit ?? DEFAULT_LIMIT, (row) => row.ordinal);
  return { rows: page.rows.map(toItem), next: page.next };
}

function toItem({ ordinal, seq, summary_id, token_count: tokenCount }: ContextItemRow): ContextItem {
  if (seq === null) return { ordinal, type: "summary", summary: summary_id ?? "", tokenCount };
  return { ordinal, type: "message", seq, tokenCount };
}
