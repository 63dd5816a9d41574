import { joinBytes } from "../../text/join-bytes.ts";
import type { MessageFormat, Scope } from "../../types.ts";
import { encodeContent } from "../content-encoding.ts";
import type {
  NewTranscriptLine,
  StoredTranscriptLine,
  Transcript,
  TranscriptBasis,
  TranscriptLane,
  TranscriptLineKind,
  TranscriptLineQuery,
  TranscriptWrite,
} from "../store.ts";
import { basisOf } from "../transcript-basis.ts";
import type { Database } from "./database.ts";
import {
  bytes,
  contentBytes,
  DEFAULT_LIMIT,
  DEFAULT_PAGE_BYTES,
  END,
  hex,
  messageRowId,
  seqOfRowId,
} from "./rows.ts";

export function writeTranscript(
  database: Database,
  conversationId: number,
  write: TranscriptWrite,
  seqOf: (messageKey: string) => number | null,
  at: string,
): void {
  writeState(database, conversationId, write.state, at);
  for (const line of write.lines) {
    const seq = line.messageKey === null ? line.seq : seqOf(line.messageKey);
    writeLine(database, conversationId, write.state.number, line, seq);
  }
}

export function writeState(
  database: Database,
  conversationId: number,
  state: TranscriptWrite["state"],
  at: string,
): void {
  database.run(
    `INSERT OR REPLACE INTO conversation_bootstrap_state (conversation_id, transcript, session_file_path, format,
       previous_transcript, shared_lines, line_count, last_seen_size, last_seen_mtime_ms, last_processed_offset,
       last_processed_entry_hash, last_processed_entry_size, reader_version, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    conversationId,
    state.number,
    state.path,
    state.format,
    state.previous,
    state.sharedLines,
    state.lineCount,
    state.size,
    state.modifiedAtMs,
    state.offset,
    bytes(state.lastLineHash),
    state.lastLineBytes,
    state.readerVersion,
    at,
  );
}

export function writeLine(
  database: Database,
  conversationId: number,
  transcript: number,
  line: Omit<NewTranscriptLine, "messageKey">,
  seq: number | null,
): void {
  const content = line.content === null ? { encoding: null, stored: null } : encodeContent(line.content);
  database.run(
    `INSERT OR REPLACE INTO transcript_lines (conversation_id, transcript, line, kind, message_id, entry_key,
       parent_key, response, lane, line_hash, problem, encoding, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    conversationId,
    transcript,
    line.line,
    line.kind,
    seq === null ? null : messageRowId(conversationId, seq),
    line.entryKey,
    line.parentKey,
    line.response,
    line.lane,
    bytes(line.hash),
    line.problem,
    content.encoding,
    content.stored,
  );
}

type StateRow = {
  uid: string;
  transcript: number;
  session_file_path: string;
  format: MessageFormat;
  previous_transcript: number | null;
  shared_lines: number;
  line_count: number;
  last_seen_size: number;
  last_seen_mtime_ms: number;
  last_processed_offset: number;
  last_processed_entry_hash: Uint8Array | null;
  last_processed_entry_size: number;
  reader_version: number;
  updated_at: string;
};

const SELECT_STATE =
  "SELECT s.*, c.uid FROM conversation_bootstrap_state s JOIN conversations c USING (conversation_id)";

export function readTranscripts(database: Database, conversationId: number): Transcript[] {
  return database
    .all<StateRow>(`${SELECT_STATE} WHERE s.conversation_id = ? ORDER BY s.transcript`, conversationId)
    .map(toTranscript);
}

/** What is on record now of that from which a write was planned. */
export function readBasis(
  database: Database,
  conversationId: number,
  planned: TranscriptBasis,
): TranscriptBasis {
  const base = planned.base?.number ?? null;
  const rows = database.all<StateRow>(
    `${SELECT_STATE} WHERE s.conversation_id = ? AND (s.transcript = ? OR s.transcript =
       (SELECT max(transcript) FROM conversation_bootstrap_state WHERE conversation_id = s.conversation_id))`,
    conversationId,
    base,
  );
  return basisOf(rows.map(toTranscript), base);
}

/** The newest version of each transcript that was read from this path. */
export function readTranscriptsAt(database: Database, scope: Scope, path: string): Transcript[] {
  return database
    .all<StateRow>(
      `${SELECT_STATE} WHERE s.session_file_path = ? AND c.tenant = ? AND c.agent = ? AND s.transcript =
         (SELECT max(n.transcript) FROM conversation_bootstrap_state n
          WHERE n.conversation_id = s.conversation_id AND n.session_file_path = s.session_file_path)
       ORDER BY s.updated_at, c.uid`,
      path,
      scope.tenant,
      scope.agent,
    )
    .map(toTranscript);
}

function toTranscript(row: StateRow): Transcript {
  return {
    conversation: row.uid,
    number: row.transcript,
    path: row.session_file_path,
    format: row.format,
    previous: row.previous_transcript,
    sharedLines: row.shared_lines,
    lineCount: row.line_count,
    offset: row.last_processed_offset,
    size: row.last_seen_size,
    modifiedAtMs: row.last_seen_mtime_ms,
    lastLineHash: hex(row.last_processed_entry_hash),
    lastLineBytes: row.last_processed_entry_size,
    readerVersion: row.reader_version,
    updatedAt: row.updated_at,
  };
}

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
  encoding: string | null;
  content: Uint8Array | null;
};

/** A page of lines whose contents lie one behind the other, ready to change threads. */
export interface PackedLines {
  readonly rows: readonly Omit<StoredTranscriptLine, "content">[];
  readonly lengths: readonly number[];
  readonly contents: Uint8Array<ArrayBuffer>;
  readonly next: number | null;
}

export function readLinesOf(
  database: Database,
  conversationId: number,
  query: TranscriptLineQuery,
): PackedLines {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows: LineRow[] = [];
  const contents: (Uint8Array | null)[] = [];
  let size = 0;
  let next: number | null = null;
  for (const row of selectLines(database, conversationId, query)) {
    if (rows.length >= limit || (rows.length > 0 && size >= DEFAULT_PAGE_BYTES)) {
      next = row.line;
      break;
    }
    const content = contentBytes(row);
    rows.push(row);
    contents.push(content);
    size += content?.byteLength ?? 0;
  }
  return {
    rows: rows.map((row) => toLine(row, query.transcript)),
    lengths: contents.map((content) => content?.byteLength ?? -1),
    contents: joinBytes(contents.filter((content) => content !== null)),
    next,
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
    `SELECT line, kind, message_id, entry_key, parent_key, response, lane, line_hash, problem, encoding,
       ${content} AS content
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
  };
}
