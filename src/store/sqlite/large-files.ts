import type { Scope } from "../../types.ts";
import { readPlaces } from "../file-row.ts";
import type { FileKind, FileOrigin, FileQuery, PayloadWriting, StoredFile } from "../file-store.ts";
import type { Page } from "../store.ts";
import { DEFAULT_LIMIT, pageOf } from "../tables/pages.ts";
import type { Database } from "./database.ts";
import { hex } from "./rows.ts";

type FileRow = {
  file_number: number;
  file_id: string;
  uid: string;
  seq: number;
  ordinal: number;
  kind: FileKind;
  file_name: string | null;
  mime_type: string | null;
  tool_name: string | null;
  exploration_summary: string;
  model_summary: string | null;
  model: string | null;
  model_summary_at: string | null;
  origin: FileOrigin;
  content_hash: Uint8Array;
  writing: PayloadWriting;
  places: string;
  created_at: string;
  byte_size: number;
  line_count: number;
};

const SELECT_FILES = `SELECT f.*, c.uid, x.byte_size, x.line_count FROM large_files f
  JOIN conversations c USING (conversation_id) JOIN file_contents x USING (content_hash)`;

export function readFilesOf(database: Database, conversationId: number, seq: number): StoredFile[] {
  return database
    .all<FileRow>(
      `${SELECT_FILES} WHERE f.conversation_id = ? AND f.seq = ? ORDER BY f.ordinal`,
      conversationId,
      seq,
    )
    .map(toFile);
}

export function findFile(database: Database, scope: Scope, id: string): StoredFile | undefined {
  const row = database.one<FileRow>(
    `${SELECT_FILES} WHERE f.file_id = ? AND c.tenant = ? AND c.agent = ?`,
    id,
    scope.tenant,
    scope.agent,
  );
  return row === undefined ? undefined : toFile(row);
}

/** Positions count down, so that the newest come first. */
export function listFiles(database: Database, scope: Scope, query: FileQuery): Page<StoredFile> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<FileRow>(
    `${SELECT_FILES} WHERE c.tenant = ? AND c.agent = ? AND f.file_number <= ?
       AND (?4 IS NULL OR c.uid = ?4) AND (?5 IS NULL OR f.kind = ?5) ORDER BY f.file_number DESC LIMIT ?6`,
    scope.tenant,
    scope.agent,
    query.from ?? Number.MAX_SAFE_INTEGER,
    query.conversation ?? null,
    query.kind ?? null,
    limit + 1,
  );
  const page = pageOf(rows, limit, (row) => row.file_number);
  return { rows: page.rows.map(toFile), next: page.next };
}

function toFile(row: FileRow): StoredFile {
  return {
    id: row.file_id,
    conversation: row.uid,
    seq: row.seq,
    ordinal: row.ordinal,
    kind: row.kind,
    name: row.file_name,
    mime: row.mime_type,
    tool: row.tool_name,
    description: row.exploration_summary,
    origin: row.origin,
    content: hex(row.content_hash),
    bytes: row.byte_size,
    lines: row.line_count,
    writing: row.writing,
    places: readPlaces(row.places),
    createdAt: row.created_at,
    described: describedIn(row),
  };
}

function describedIn({ model_summary: text, model, model_summary_at: at }: FileRow): StoredFile["described"] {
  return text === null ? null : { text, model: model ?? "", at: at ?? "" };
}
