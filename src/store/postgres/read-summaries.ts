import type { Scope } from "../../types.ts";
import type { Page, RangeQuery, StoredSummary, SummarySources } from "../store.ts";
import { type SummaryColumns, summaryFromRow } from "../summary-row.ts";
import { DEFAULT_LIMIT } from "../tables/pages.ts";
import { CONTENT_BYTES, type ContentRow, joinSlices, SLICES } from "./content.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

type SummaryRow = ContentRow &
  SummaryColumns & {
    merkle_root: string;
    content_hash: string | null;
    seqs: number[] | null;
    ids: string[] | null;
  };

/** What a summary in `page` has beside its content, its tokens and its time. */
const SUMMARY_COLUMNS = `page.uid, page.summary_number, page.summary_id, page.kind, page.depth, page.quality,
  page.model, page.first_seq, page.last_seq, page.earliest_at, page.latest_at, page.message_count,
  page.source_token_count, page.descendant_count, page.descendant_token_count, page.file_ids, page.fidelity,
  encode(page.merkle_root, 'hex') AS merkle_root, encode(page.content_hash, 'hex') AS content_hash,
  (SELECT json_agg(e.seq ORDER BY e.seq) FROM summary_messages e
    WHERE e.tenant = page.tenant AND e.conversation_id = page.conversation_id
      AND e.summary_number = page.summary_number) AS seqs,
  (SELECT json_agg(s.summary_id ORDER BY p.ordinal) FROM summary_parents p
    JOIN summaries s ON s.tenant = p.tenant AND s.conversation_id = p.conversation_id
      AND s.summary_number = p.parent_number
    WHERE p.tenant = page.tenant AND p.conversation_id = page.conversation_id
      AND p.summary_number = page.summary_number) AS ids`;

const IN_ORDER = "depth, first_seq, summary_number";

function selectSummaries(which: string): string {
  return `SELECT ${SUMMARY_COLUMNS}, page.token_count, page.created_at, NULL::bigint AS following, ${CONTENT_BYTES}
    FROM (
      SELECT s.*, c.uid FROM conversations c
      JOIN summaries s ON s.tenant = c.tenant AND s.conversation_id = c.conversation_id
      WHERE c.tenant = $1 AND c.agent = $2 AND ${which}) page
    ${SLICES} ORDER BY ${IN_ORDER}`;
}

const BY_ID = selectSummaries("s.summary_id = $3");
const BY_IDS = selectSummaries("s.summary_id = ANY($3::text[]) AND s.encoding <> 'erased'");
const BY_CONVERSATION = selectSummaries(`c.uid = $3 ORDER BY ${IN_ORDER} LIMIT $4::bigint + 1 OFFSET $5`);

export async function findSummary(
  session: Session,
  scope: Scope,
  id: string,
): Promise<StoredSummary | undefined> {
  const rows = await session.rows<SummaryRow>(BY_ID, scope.tenant, scope.agent, id);
  const [summary] = [...joinSlices(rows)].map(({ row, content }) => toSummary(row, content));
  return summary;
}

/** Those of them that still have their text. */
export async function findSummaries(
  session: Session,
  scope: Scope,
  ids: readonly string[],
): Promise<StoredSummary[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<SummaryRow>(BY_IDS, scope.tenant, scope.agent, ids);
  return [...joinSlices(rows)].map(({ row, content }) => toSummary(row, content));
}

const BY_NUMBERS = selectSummaries("c.uid = $3 AND s.summary_number = ANY($4::bigint[])");

/** Each with its number in the conversation. */
export async function findSummariesByNumber(
  session: Session,
  scope: Scope,
  conversation: string,
  numbers: readonly number[],
): Promise<{ readonly number: number; readonly summary: StoredSummary }[]> {
  if (numbers.length === 0) return [];
  const rows = await session.rows<SummaryRow>(BY_NUMBERS, scope.tenant, scope.agent, conversation, numbers);
  return [...joinSlices(rows)].map(({ row, content }) => ({
    number: row.summary_number,
    summary: toSummary(row, content),
  }));
}

export async function readSummaries(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<StoredSummary>> {
  const from = query.from ?? 0;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<SummaryRow>(
    BY_CONVERSATION,
    scope.tenant,
    scope.agent,
    conversation,
    limit,
    from,
  );
  const summaries = [...joinSlices(rows)].map(({ row, content }) => toSummary(row, content));
  return { rows: summaries.slice(0, limit), next: summaries.length > limit ? from + limit : null };
}

function toSummary(row: SummaryRow, content: string | Uint8Array | null): StoredSummary {
  return summaryFromRow(row, {
    content: content === null ? null : Buffer.from(content).toString("utf8"),
    merkleRoot: row.merkle_root,
    contentHash: row.content_hash,
    sources: toSources(row),
  });
}

function toSources({ kind, seqs, ids }: SummaryRow): SummarySources {
  return kind === "leaf" ? { type: "messages", seqs: seqs ?? [] } : { type: "summaries", ids: ids ?? [] };
}
