import type { Scope } from "../../types.ts";
import type {
  Page,
  StoredTranscriptLine,
  TranscriptLane,
  TranscriptLineKind,
  TranscriptLineQuery,
} from "../store.ts";
import {
  CONTENT_COLUMNS,
  type ContentRow,
  contentArrays,
  contentBatches,
  joinSlices,
  pageWindow,
  SLICES,
  type StoredContent,
  storeContent,
} from "./content.ts";
import { CONVERSATION_ID } from "./conversations.ts";
import { byteaArray, bytes, DEFAULT_LIMIT, DEFAULT_PAGE_BYTES, END, withoutNul } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

const NOTHING: StoredContent = { encoding: null, stored: null, size: 0 };

/** Writes lines, replacing what is known of the same numbers. */
export function writeLines(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  lines: readonly StoredTranscriptLine[],
): void {
  sendLines(transaction, UPSERT_LINES, scope, conversationId, lines);
}

/** For loading: a line that is known stays as it is, unless it was torn when it was read. */
export function addLines(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  lines: readonly StoredTranscriptLine[],
): void {
  sendLines(transaction, `${UPSERT_LINES} WHERE known.kind = 'torn'`, scope, conversationId, lines);
}

const UPSERT_LINES = `INSERT INTO transcript_lines AS known (tenant, conversation_id, transcript, line, kind, seq,
    entry_key, parent_key, response, lane, line_hash, problem, encoding, content, content_size)
  SELECT $1::text, $2::bigint, * FROM unnest($3::integer[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::bytea[], $12::text[], $13::text[], $14::bytea[], $15::bigint[])
  ON CONFLICT (tenant, conversation_id, transcript, line) DO UPDATE SET kind = excluded.kind, seq = excluded.seq,
    entry_key = excluded.entry_key, parent_key = excluded.parent_key, response = excluded.response,
    lane = excluded.lane, line_hash = excluded.line_hash, problem = excluded.problem, encoding = excluded.encoding,
    content = excluded.content, content_size = excluded.content_size`;

function sendLines(
  transaction: Transaction,
  sql: string,
  scope: Scope,
  conversationId: number,
  lines: readonly StoredTranscriptLine[],
): void {
  const rows = lines.map((line) => ({
    line,
    content: line.content === null ? NOTHING : storeContent(line.content),
  }));
  for (const batch of contentBatches(rows))
    transaction.send(
      sql,
      scope.tenant,
      conversationId,
      ...columnArrays(batch.map((row) => row.line)),
      ...contentArrays(batch.map((row) => row.content)),
    );
}

function columnArrays(lines: readonly StoredTranscriptLine[]): readonly unknown[] {
  return [
    lines.map((line) => line.transcript),
    lines.map((line) => line.line),
    lines.map((line) => line.kind),
    lines.map((line) => line.seq),
    lines.map((line) => withoutNul(line.entryKey)),
    lines.map((line) => withoutNul(line.parentKey)),
    lines.map((line) => withoutNul(line.response)),
    lines.map((line) => line.lane),
    byteaArray(lines.map((line) => bytes(line.hash))),
    lines.map((line) => withoutNul(line.problem)),
  ];
}

type LineRow = ContentRow & {
  line: number;
  kind: TranscriptLineKind;
  seq: number | null;
  entry_key: string | null;
  parent_key: string | null;
  response: string | null;
  lane: TranscriptLane;
  line_hash: string | null;
  problem: string | null;
};

const SELECT_PAGE = `
  SELECT page.line, page.kind, page.seq, page.entry_key, page.parent_key, page.response, page.lane, page.problem,
    encode(page.line_hash, 'hex') AS line_hash, page.following, ${CONTENT_COLUMNS}
  FROM (
    SELECT *, ${pageWindow("line")} FROM (
      SELECT line, kind, seq, entry_key, parent_key, response, lane, line_hash, problem, encoding,
        CASE WHEN $8 THEN content END AS content, CASE WHEN $8 THEN content_size ELSE 0 END AS content_size
      FROM transcript_lines WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID} AND transcript = $4
        AND line BETWEEN $5 AND $6 AND ($7::text[] IS NULL OR kind = ANY($7::text[]))
      ORDER BY line LIMIT $9::bigint + 1) candidates
    WINDOW by_position AS (ORDER BY line)) page
  ${SLICES}
  WHERE page.rank <= $9::bigint AND page.bytes_before < ${DEFAULT_PAGE_BYTES}
  ORDER BY page.line`;

export async function readLines(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: TranscriptLineQuery,
): Promise<Page<StoredTranscriptLine>> {
  const kinds = query.kinds ?? [];
  const rows = await session.rows<LineRow>(
    SELECT_PAGE,
    scope.tenant,
    scope.agent,
    conversation,
    query.transcript,
    query.from ?? 0,
    query.to ?? END,
    kinds.length === 0 ? null : kinds,
    query.withoutContent !== true,
    query.limit ?? DEFAULT_LIMIT,
  );
  const lines = [...joinSlices(rows)].map(({ row, content }) => toLine(row, query.transcript, content));
  return { rows: lines, next: rows.at(-1)?.following ?? null };
}

function toLine(row: LineRow, transcript: number, content: string | Uint8Array | null): StoredTranscriptLine {
  return {
    transcript,
    line: row.line,
    kind: row.kind,
    seq: row.seq,
    content,
    entryKey: row.entry_key,
    parentKey: row.parent_key,
    response: row.response,
    lane: row.lane,
    hash: row.line_hash,
    problem: row.problem,
  };
}
