/** Summaries with their text and what they were made from. */
import type { Scope, SummaryQuality } from "../../types.ts";
import { originalBytes } from "../content-encoding.ts";
import type { Reader } from "../port.ts";
import { type Dialect, statement } from "../statement.ts";
import type { Page, RangeQuery, StoredSummary } from "../store.ts";
import { DEFAULT_LIMIT } from "../tables/pages.ts";

/** What is known of a summary without its text and its sources. */
export type SummaryColumns = {
  readonly uid: string;
  readonly summary_number: number;
  readonly summary_id: string;
  readonly kind: "leaf" | "condensed";
  readonly depth: number;
  readonly token_count: number;
  readonly quality: SummaryQuality;
  readonly model: string | null;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly earliest_at: string;
  readonly latest_at: string;
  readonly message_count: number;
  readonly source_token_count: number;
  readonly descendant_count: number;
  readonly descendant_token_count: number;
  /** JSON. */
  readonly file_ids: string;
  readonly fidelity: number | null;
  readonly created_at: string;
};

/** Of a summary `s` in a conversation `c`. */
export const SUMMARY_COLUMNS = `c.uid, s.summary_number, s.summary_id, s.kind, s.depth, s.token_count, s.quality, s.model,
  s.first_seq, s.last_seq, s.earliest_at, s.latest_at, s.message_count, s.source_token_count, s.descendant_count,
  s.descendant_token_count, s.file_ids, s.fidelity, s.created_at`;

export function summaryFacts(
  row: SummaryColumns,
): Omit<StoredSummary, "content" | "contentHash" | "merkleRoot" | "sources"> {
  return {
    id: row.summary_id,
    conversation: row.uid,
    kind: row.kind,
    depth: row.depth,
    tokenCount: row.token_count,
    quality: row.quality,
    model: row.model,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    earliestAt: row.earliest_at,
    latestAt: row.latest_at,
    messageCount: row.message_count,
    sourceTokenCount: row.source_token_count,
    descendantCount: row.descendant_count,
    descendantTokenCount: row.descendant_token_count,
    fileIds: JSON.parse(row.file_ids) as string[],
    fidelity: row.fidelity,
    createdAt: row.created_at,
  };
}

type SummaryRow = SummaryColumns & {
  readonly encoding: string;
  readonly content: Uint8Array | null;
  readonly merkle_root: string;
  readonly content_hash: string | null;
  /** JSON: seqs of a leaf, ids of what another summary was made from. */
  readonly sources: string;
};

/** The ids of what the summary `s` was made from, as JSON; empty for a leaf. */
export const sourceIds = (d: Dialect) =>
  d.jsonList(
    "f.summary_id",
    `summary_parents p ${d.join("summaries", "f", `${d.conversation("f", "s.conversation_id")} AND f.summary_number = p.parent_number`)}
     WHERE ${d.conversation("p", "s.conversation_id")} AND p.summary_number = s.summary_number`,
    "p.ordinal",
  );

const sourceSeqs = (d: Dialect) =>
  d.jsonList(
    "e.seq",
    `summary_messages e WHERE ${d.conversation("e", "s.conversation_id")} AND e.summary_number = s.summary_number`,
    "e.seq",
  );

const columns = (d: Dialect) => `${SUMMARY_COLUMNS}, s.encoding, ${d.contentBytes("s.content")} AS content,
  ${d.hex("s.merkle_root")} AS merkle_root, ${d.hexOrNull("s.content_hash")} AS content_hash,
  CASE WHEN s.kind = 'leaf' THEN ${sourceSeqs(d)} ELSE ${sourceIds(d)} END AS sources`;

const ofScope = (d: Dialect) =>
  `${d.join("conversations", "c", "c.tenant = $1 AND c.agent = $2 AND c.conversation_id = s.conversation_id")}
   WHERE ${d.sameTenant("s")}`;

const BY_ID = statement((d) => `SELECT ${columns(d)} FROM summaries s ${ofScope(d)} AND s.summary_id = $3`);

export async function findSummary(
  reader: Reader,
  { tenant, agent }: Scope,
  id: string,
): Promise<StoredSummary | undefined> {
  const row = await reader.one<SummaryRow>(BY_ID, tenant, agent, id);
  return row === undefined ? undefined : toSummary(row);
}

const BY_IDS = statement(
  (d) => `SELECT ${columns(d)} FROM ${d.list("$3", "text", "wanted")}
    ${d.each("summaries", "s", `${d.sameTenant("s")} AND s.summary_id = wanted.value AND s.encoding <> 'erased'`)}
    ${ofScope(d)} ORDER BY wanted.key`,
);

/** Those of them that still have their text, in this order. */
export async function findSummaries(
  reader: Reader,
  { tenant, agent }: Scope,
  ids: readonly string[],
): Promise<StoredSummary[]> {
  if (ids.length === 0) return [];
  return (await reader.rows<SummaryRow>(BY_IDS, tenant, agent, ids)).map(toSummary);
}

const BY_NUMBERS = statement(
  (d) => `SELECT ${columns(d)} FROM conversations c CROSS JOIN ${d.list("$4", "bigint", "wanted")}
    ${d.each("summaries", "s", `${d.conversation("s", "c.conversation_id")} AND s.summary_number = wanted.value`)}
    WHERE c.tenant = $1 AND c.agent = $2 AND c.uid = $3 ORDER BY wanted.key`,
);

/** Each with its number in the conversation, in this order. */
export async function findSummariesByNumber(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  numbers: readonly number[],
): Promise<{ readonly number: number; readonly summary: StoredSummary }[]> {
  if (numbers.length === 0) return [];
  const rows = await reader.rows<SummaryRow>(BY_NUMBERS, tenant, agent, conversation, numbers);
  return rows.map((row) => ({ number: row.summary_number, summary: toSummary(row) }));
}

const BY_CONVERSATION = statement(
  (d) => `SELECT ${columns(d)} FROM conversations c
    ${d.join("summaries", "s", d.conversation("s", "c.conversation_id"))}
    WHERE c.tenant = $1 AND c.agent = $2 AND c.uid = $3
    ORDER BY s.depth, s.first_seq, s.summary_number LIMIT $4 OFFSET $5`,
);

export async function readSummaries(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  { from = 0, limit = DEFAULT_LIMIT }: RangeQuery,
): Promise<Page<StoredSummary>> {
  const rows = await reader.rows<SummaryRow>(BY_CONVERSATION, tenant, agent, conversation, limit + 1, from);
  return { rows: rows.slice(0, limit).map(toSummary), next: rows.length > limit ? from + limit : null };
}

function toSummary(row: SummaryRow): StoredSummary {
  const sources: unknown[] = JSON.parse(row.sources);
  return {
    ...summaryFacts(row),
    content:
      row.content === null ? null : Buffer.from(originalBytes(row.encoding, row.content)).toString("utf8"),
    merkleRoot: row.merkle_root,
    contentHash: row.content_hash,
    sources:
      row.kind === "leaf"
        ? { type: "messages", seqs: sources as number[] }
        : { type: "summaries", ids: sources as string[] },
  };
}
