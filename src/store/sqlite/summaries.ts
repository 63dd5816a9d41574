import type { Scope } from "../../types.ts";
import { encodeContent } from "../content-encoding.ts";
import {
  ORDINAL_GAP,
  type Page,
  type RangeQuery,
  type StoredSummary,
  type SummarySources,
} from "../store.ts";
import { type SummaryColumns, summaryFromRow } from "../summary-row.ts";
import { placeSummary } from "./context-items.ts";
import type { Database } from "./database.ts";
import { bytes, contentBytes, DEFAULT_LIMIT, hex } from "./rows.ts";

type SummaryRow = SummaryColumns & {
  conversation_id: number;
  encoding: string;
  content: Uint8Array | null;
  merkle_root: Uint8Array;
  content_hash: Uint8Array | null;
};

export function insertSummary(
  database: Database,
  conversationId: number,
  number: number,
  summary: StoredSummary,
): void {
  const content =
    summary.content === null ? { encoding: "erased", stored: null } : encodeContent(summary.content);
  database.run(
    `INSERT INTO summaries (conversation_id, summary_number, summary_id, kind, depth, encoding, content, token_count,
       quality, model, first_seq, last_seq, earliest_at, latest_at, message_count, source_token_count,
       descendant_count, descendant_token_count, file_ids, fidelity, merkle_root, content_hash,
       created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    conversationId,
    number,
    summary.id,
    summary.kind,
    summary.depth,
    content.encoding,
    content.stored,
    summary.tokenCount,
    summary.quality,
    summary.model,
    summary.firstSeq,
    summary.lastSeq,
    summary.earliestAt,
    summary.latestAt,
    summary.messageCount,
    summary.sourceTokenCount,
    summary.descendantCount,
    summary.descendantTokenCount,
    JSON.stringify(summary.fileIds),
    summary.fidelity,
    bytes(summary.merkleRoot),
    bytes(summary.contentHash),
    summary.createdAt,
  );
  insertSources(database, conversationId, number, summary.sources);
}

function insertSources(
  database: Database,
  conversationId: number,
  number: number,
  sources: SummarySources,
): void {
  if (sources.type === "messages") {
    database.run(
      "INSERT INTO summary_messages SELECT ?, ?, value FROM json_each(?)",
      conversationId,
      number,
      JSON.stringify(sources.seqs),
    );
    return;
  }
  sources.ids.forEach((id, ordinal) => {
    database.run(
      `INSERT INTO summary_parents SELECT ?, ?, ?, summary_number FROM summaries
       WHERE summary_id = ? AND conversation_id = ?`,
      conversationId,
      number,
      ordinal,
      id,
      conversationId,
    );
  });
}

const SUMMARY_COLUMNS = `c.uid, s.conversation_id, s.summary_number, s.summary_id, s.kind, s.depth, s.encoding,
    CAST(s.content AS BLOB) AS content, s.token_count, s.quality, s.model, s.first_seq, s.last_seq, s.earliest_at,
    s.latest_at, s.message_count, s.source_token_count, s.descendant_count, s.descendant_token_count, s.file_ids,
    s.fidelity, s.merkle_root, s.content_hash, s.created_at`;
const SELECT_SUMMARY = `SELECT ${SUMMARY_COLUMNS} FROM summaries s JOIN conversations c USING (conversation_id)`;

export function findSummary(database: Database, scope: Scope, id: string): StoredSummary | undefined {
  const row = database.one<SummaryRow>(
    `${SELECT_SUMMARY} WHERE s.summary_id = ? AND c.tenant = ? AND c.agent = ?`,
    id,
    scope.tenant,
    scope.agent,
  );
  return row === undefined ? undefined : toSummary(database, row);
}

export function findSummaryNumber(
  database: Database,
  conversationId: number,
  id: string,
): number | undefined {
  return database.one<{ summary_number: number }>(
    "SELECT summary_number FROM summaries WHERE summary_id = ? AND conversation_id = ?",
    id,
    conversationId,
  )?.summary_number;
}

/** Puts a summary at its place in the context unless something stands there. */
export function placeKnownSummary(database: Database, conversationId: number, id: string): void {
  const row = database.one<{ summary_number: number; first_seq: number; token_count: number }>(
    "SELECT summary_number, first_seq, token_count FROM summaries WHERE summary_id = ? AND conversation_id = ?",
    id,
    conversationId,
  );
  if (row === undefined) return;
  const { summary_number, first_seq, token_count } = row;
  placeSummary(database, conversationId, first_seq * ORDINAL_GAP, summary_number, token_count);
}

/** Summaries by their numbers, in that order. */
export function readSummariesByNumber(
  database: Database,
  conversationId: number,
  numbers: readonly number[],
): StoredSummary[] {
  if (numbers.length === 0) return [];
  const rows = database.all<SummaryRow>(
    // One lookup for each number, whatever else the conversation has.
    `SELECT ${SUMMARY_COLUMNS} FROM json_each(?) wanted
     CROSS JOIN summaries s ON s.conversation_id = ? AND s.summary_number = wanted.value
     CROSS JOIN conversations c ON c.conversation_id = s.conversation_id ORDER BY wanted.key`,
    JSON.stringify(numbers),
    conversationId,
  );
  return rows.map((row) => toSummary(database, row));
}

export function readSummaries(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): Page<StoredSummary> {
  const from = query.from ?? 0;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<SummaryRow>(
    `${SELECT_SUMMARY} WHERE s.conversation_id = ? ORDER BY s.depth, s.first_seq, s.summary_number LIMIT ? OFFSET ?`,
    conversationId,
    limit + 1,
    from,
  );
  const page = rows.slice(0, limit).map((row) => toSummary(database, row));
  return { rows: page, next: rows.length > limit ? from + limit : null };
}

function toSummary(database: Database, row: SummaryRow): StoredSummary {
  const content = contentBytes(row);
  return summaryFromRow(row, {
    content: content === null ? null : Buffer.from(content).toString("utf8"),
    merkleRoot: hex(row.merkle_root),
    contentHash: hex(row.content_hash),
    sources: readSources(database, row),
  });
}

function readSources(database: Database, row: SummaryRow): SummarySources {
  const { conversation_id, summary_number } = row;
  if (row.kind === "leaf") {
    const rows = database.all<{ seq: number }>(
      "SELECT seq FROM summary_messages WHERE conversation_id = ? AND summary_number = ? ORDER BY seq",
      conversation_id,
      summary_number,
    );
    return { type: "messages", seqs: rows.map(({ seq }) => seq) };
  }
  const rows = database.all<{ summary_id: string }>(
    `SELECT s.summary_id FROM summary_parents p
     JOIN summaries s ON s.conversation_id = p.conversation_id AND s.summary_number = p.parent_number
     WHERE p.conversation_id = ? AND p.summary_number = ? ORDER BY p.ordinal`,
    conversation_id,
    summary_number,
  );
  return { type: "summaries", ids: rows.map(({ summary_id }) => summary_id) };
}
