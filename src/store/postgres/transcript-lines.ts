import type { Scope } from "../../types.ts";
import { CONVERSATION_ID } from "../statement.ts";
import type {
  Page,
  StoredTranscriptLine,
  TranscriptLane,
  TranscriptLineKind,
  TranscriptLineQuery,
} from "../store.ts";
import { DEFAULT_LIMIT, DEFAULT_PAGE_BYTES, END } from "../tables/pages.ts";
import { toOrigin } from "../tables/transcript-lines.ts";
import { CONTENT_COLUMNS, type ContentRow, joinSlices, pageWindow, SLICES } from "./content.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

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
  message_salt: string | null;
  message_time: string | null;
};

const SELECT_PAGE = `
  SELECT page.line, page.kind, page.seq, page.entry_key, page.parent_key, page.response, page.lane, page.problem,
    encode(page.line_hash, 'hex') AS line_hash, encode(page.message_salt, 'hex') AS message_salt, page.message_time,
    page.following, ${CONTENT_COLUMNS}
  FROM (
    SELECT *, ${pageWindow("line")} FROM (
      SELECT line, kind, seq, entry_key, parent_key, response, lane, line_hash, problem, message_salt, message_time, encoding,
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
    origin: toOrigin(row.message_salt, row.message_time),
  };
}
