import type { Scope } from "../../types.ts";
import type { Page, RangeQuery, StoredSummary, SummarySources } from "../store.ts";
import { type SummaryColumns, summaryFromRow } from "../summary-row.ts";
import { DEFAULT_LIMIT } from "../tables/pages.ts";
import type { Database } from "./database.ts";
import { contentBytes, hex } from "./rows.ts";

type SummaryRow = SummaryColumns & {
  conversation_id: number;
  encoding: string;
  content: Uint8Array | null;
  merkle_root: Uint8Array;
  content_hash: Uint8Array | null;
};

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
