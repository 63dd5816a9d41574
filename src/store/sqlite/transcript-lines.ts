/** Reads lines of transcripts in packed form, so that their contents are transferred in one buffer. */
import type {
  StoredTranscriptLine,
  TranscriptLane,
  TranscriptLineKind,
  TranscriptLineQuery,
} from "../store.ts";
import { END } from "../tables/pages.ts";
import { toOrigin } from "../tables/transcript-lines.ts";
import type { Database } from "./database.ts";
import { type PackedPage, packContents, takePage } from "./packed-page.ts";
import { contentBytes, hex, seqOfRowId } from "./rows.ts";

type LineRow = {
  line: number;
  kind: TranscriptLineKind;
  message_id: number | null;
  entry_key: string | null;
  parent_key: string | null;
  response: string | null;
  lane: TranscriptLane;
  line_hash: Uint8Array | null;
  problem: string | null;
  message_salt: Uint8Array | null;
  message_time: string | null;
  encoding: string | null;
  content: Uint8Array | null;
};

export function readLinesOf(
  database: Database,
  conversationId: number,
  query: TranscriptLineQuery,
): PackedPage<StoredTranscriptLine> {
  const selected = selectLines(database, conversationId, query);
  const { rows, contents, following } = takePage(selected, { limit: query.limit }, contentBytes);
  return {
    rows: rows.map((row) => toLine(row, query.transcript)),
    ...packContents(contents),
    next: following?.line ?? null,
  };
}

function selectLines(
  database: Database,
  conversationId: number,
  query: TranscriptLineQuery,
): IterableIterator<LineRow> {
  const kinds = query.kinds ?? [];
  const kindFilter = kinds.length === 0 ? "" : `AND kind IN (${kinds.map(() => "?").join(", ")})`;
  const content = query.withoutContent === true ? "NULL" : "CAST(content AS BLOB)";
  return database.iterate<LineRow>(
    `SELECT line, kind, message_id, entry_key, parent_key, response, lane, line_hash, problem, message_salt,
       message_time, encoding, ${content} AS content
     FROM transcript_lines
     WHERE conversation_id = ? AND transcript = ? AND line BETWEEN ? AND ? ${kindFilter} ORDER BY line`,
    conversationId,
    query.transcript,
    query.from ?? 0,
    query.to ?? END,
    ...kinds,
  );
}

function toLine(row: LineRow, transcript: number): Omit<StoredTranscriptLine, "content"> {
  return {
    transcript,
    line: row.line,
    kind: row.kind,
    seq: row.message_id === null ? null : seqOfRowId(row.message_id),
    entryKey: row.entry_key,
    parentKey: row.parent_key,
    response: row.response,
    lane: row.lane,
    hash: hex(row.line_hash),
    problem: row.problem,
    origin: toOrigin(hex(row.message_salt), row.message_time),
  };
}
