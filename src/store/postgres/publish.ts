/** Puts a summary in the place of its sources, or of one that was made from them, if they still stand there. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { merkleRoot } from "../seal.ts";
import {
  ORDINAL_GAP,
  type PublishWrite,
  type StoredSummary,
  type SummarySources,
  type WriteResult,
} from "../store.ts";
import { type SourceFacts, summarise } from "../summary-facts.ts";
import { insertEvents } from "./compaction-events.ts";
import { insertContextItems } from "./context-items.ts";
import { type ConversationRow, requireConversation, toConversation } from "./conversations.ts";
import { insertSummaries } from "./summaries.ts";
import type { Transaction } from "./transaction.ts";

type PublishResult = Extract<WriteResult, { kind: "publish" }>;
type ItemRow = {
  ordinal: number;
  seq: number | null;
  summary_number: number | null;
  token_count: number;
  stub_tokens: number;
};

export async function publish(
  transaction: Transaction,
  scope: Scope,
  write: PublishWrite,
): Promise<PublishResult> {
  const row = await requireConversation(transaction, scope, write.id);
  const id = row.conversation_id;
  const facts = await readSourceFacts(transaction, scope, id, write);
  const items = await requireInPlace(transaction, scope, id, write, facts);
  const summary: StoredSummary = { ...summarise(write.summary, facts), conversation: write.id };
  const removed = items.reduce((sum, item) => sum + item.token_count, 0);
  const removedStubs = items.reduce((sum, item) => sum + item.stub_tokens, 0);
  const changed: ConversationRow = {
    ...row,
    last_summary: row.last_summary + 1,
    context_items: row.context_items + 1 - items.length,
    context_tokens: row.context_tokens + summary.tokenCount - removed,
    context_stub_tokens: row.context_stub_tokens + summary.tokenCount - removedStubs,
    updated_at: write.at,
  };
  const number = changed.last_summary;
  insertSummaries(transaction, scope, id, [{ number, summary }]);
  replaceItems(transaction, scope, id, number, summary, items);
  insertEvents(transaction, scope, id, [write.event]);
  updateCounters(transaction, scope, changed);
  return { kind: "publish", conversation: toConversation(changed), summary };
}

const MESSAGE_FACTS = `
  SELECT m.seq AS position, -1 AS depth, m.seq AS "firstSeq", m.seq AS "lastSeq", m.created_at AS "earliestAt",
    m.created_at AS "latestAt", 1 AS "messageCount", m.token_count AS "sourceTokenCount", 0 AS "descendantCount",
    0 AS "descendantTokenCount", encode(m.hash, 'hex') AS hash
  FROM unnest($3::bigint[]) WITH ORDINALITY AS wanted(seq, place)
  CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE tenant = $1 AND conversation_id = $2 AND seq = wanted.seq LIMIT 1) m
  ORDER BY wanted.place`;

const SUMMARY_FACTS = `
  SELECT s.summary_number AS position, s.depth, s.first_seq AS "firstSeq", s.last_seq AS "lastSeq",
    s.earliest_at AS "earliestAt", s.latest_at AS "latestAt", s.message_count AS "messageCount",
    s.source_token_count AS "sourceTokenCount", s.descendant_count + 1 AS "descendantCount",
    s.descendant_token_count + s.token_count AS "descendantTokenCount", encode(s.merkle_root, 'hex') AS hash
  FROM unnest($3::text[]) WITH ORDINALITY AS wanted(id, place)
  CROSS JOIN LATERAL (
    SELECT * FROM summaries WHERE tenant = $1 AND conversation_id = $2 AND summary_id = wanted.id LIMIT 1) s
  ORDER BY wanted.place`;

/** What each source contributes, in the order of the write. */
function readSourceFacts(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  { summary: { sources } }: PublishWrite,
): Promise<SourceFacts[]> {
  return sources.type === "messages"
    ? transaction.rows<SourceFacts>(MESSAGE_FACTS, scope.tenant, conversationId, sources.seqs)
    : transaction.rows<SourceFacts>(SUMMARY_FACTS, scope.tenant, conversationId, sources.ids);
}

/** What the summary takes the place of, or `busy` when the context has moved on. */
async function requireInPlace(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  { summary: { sources }, replaces }: PublishWrite,
  facts: readonly SourceFacts[],
): Promise<ItemRow[]> {
  const items =
    replaces === undefined
      ? await sourceItems(transaction, scope, conversationId, sources, facts)
      : await standingItem(transaction, scope, conversationId, replaces, facts);
  if (items.length > 0) return items;
  throw new PalimpsestError("busy", "the context changed while its summary was being made", {
    advice: "Plan again; nothing was written.",
  });
}

/** The item of a summary, if it was made from the same sources. */
function standingItem(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  summary: string,
  facts: readonly SourceFacts[],
): Promise<ItemRow[]> {
  return transaction.rows<ItemRow>(
    `SELECT c.ordinal, c.seq, c.summary_number, c.token_count, c.token_count AS stub_tokens FROM summaries s
     JOIN context_items c ON c.tenant = s.tenant AND c.conversation_id = s.conversation_id
       AND c.ordinal = s.first_seq * ${ORDINAL_GAP} AND c.summary_number = s.summary_number
     WHERE s.tenant = $1 AND s.conversation_id = $2 AND s.summary_id = $3 AND encode(s.merkle_root, 'hex') = $4`,
    scope.tenant,
    conversationId,
    summary,
    merkleRoot(facts.map(({ hash }) => hash)),
  );
}

/** The items of the sources; none when they do not all stand side by side. */
async function sourceItems(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  sources: SummarySources,
  facts: readonly SourceFacts[],
): Promise<ItemRow[]> {
  const wanted = sources.type === "messages" ? sources.seqs.length : sources.ids.length;
  const items = await transaction.rows<ItemRow>(
    `SELECT ordinal, seq, summary_number, token_count, coalesce(stub_token_count, token_count) AS stub_tokens
     FROM context_items
     WHERE tenant = $1 AND conversation_id = $2 AND ordinal BETWEEN $3 AND $4 ORDER BY ordinal`,
    scope.tenant,
    conversationId,
    (facts[0]?.firstSeq ?? 0) * ORDINAL_GAP,
    (facts.at(-1)?.firstSeq ?? 0) * ORDINAL_GAP,
  );
  const stands = (item: ItemRow, index: number) =>
    (sources.type === "messages" ? item.seq : item.summary_number) === facts[index]?.position;
  const isInPlace = facts.length === wanted && items.length === wanted && items.every(stands);
  return isInPlace ? items : [];
}

/** The counters come with the conversation's row. */
function replaceItems(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  summaryNumber: number,
  { firstSeq, tokenCount }: StoredSummary,
  items: readonly ItemRow[],
): void {
  transaction.send(
    "DELETE FROM context_items WHERE tenant = $1 AND conversation_id = $2 AND ordinal = ANY($3::bigint[])",
    scope.tenant,
    conversationId,
    items.map((item) => item.ordinal),
  );
  const item = {
    ordinal: firstSeq * ORDINAL_GAP,
    seq: null,
    summaryNumber,
    tokenCount,
    stubTokenCount: null,
  };
  insertContextItems(transaction, scope, conversationId, [item]);
}

function updateCounters(transaction: Transaction, scope: Scope, row: ConversationRow): void {
  transaction.send(
    `UPDATE conversations SET last_summary = $3, context_items = $4, context_tokens = $5, context_stub_tokens = $6,
       updated_at = $7
     WHERE tenant = $1 AND conversation_id = $2`,
    scope.tenant,
    row.conversation_id,
    row.last_summary,
    row.context_items,
    row.context_tokens,
    row.context_stub_tokens,
    row.updated_at,
  );
}
