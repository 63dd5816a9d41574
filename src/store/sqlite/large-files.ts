/** Which payloads were cut out of which messages. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { readPlaces, writePlaces } from "../file-row.ts";
import type {
  DatedFile,
  FileKind,
  FileOrigin,
  FileQuery,
  NewFile,
  PayloadWriting,
  StoredFile,
} from "../file-store.ts";
import type { Page } from "../store.ts";
import type { Database } from "./database.ts";
import { dropUnreferenced, isKnown, putContent } from "./file-contents.ts";
import { bytes, DEFAULT_LIMIT, hex, pageOf } from "./rows.ts";

/** Puts the contents in that are new and notes whose they are. Before the message itself, which points here. */
export function insertFiles(
  database: Database,
  conversationId: number,
  seq: number,
  files: readonly DatedFile[],
  contents: readonly (Uint8Array | null)[],
): void {
  files.forEach((file, ordinal) => {
    const content = contents[ordinal] ?? null;
    const hash = content === null ? requireKnown(database, file) : putContent(database, content);
    database.run(
      `INSERT INTO large_files (file_id, conversation_id, seq, ordinal, kind, file_name, mime_type, tool_name,
         exploration_summary, origin, content_hash, writing, places, created_at, model_summary, model,
         model_summary_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      file.id,
      conversationId,
      seq,
      ordinal,
      file.kind,
      file.name,
      file.mime,
      file.tool,
      file.description,
      file.origin,
      bytes(hash),
      file.writing,
      writePlaces(file.places),
      file.createdAt,
      file.described?.text ?? null,
      file.described?.model ?? null,
      file.described?.at ?? null,
    );
  });
}

function requireKnown(database: Database, { id, content }: NewFile): string {
  if (content !== null && isKnown(database, content)) return content;
  throw new PalimpsestError("not-found", `the content of ${id} is not on record`, {
    advice: "Put it in first; nothing was written.",
  });
}

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

/** Of the messages from one seq to another, with those contents that nothing else refers to. */
export function dropFiles(database: Database, conversationId: number, first: number, last: number): void {
  const rows = database.all<{ content_hash: Uint8Array }>(
    "DELETE FROM large_files WHERE conversation_id = ? AND seq BETWEEN ? AND ? RETURNING content_hash",
    conversationId,
    first,
    last,
  );
  dropUnreferenced(
    database,
    rows.map((row) => hex(row.content_hash)),
  );
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
