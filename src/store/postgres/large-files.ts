/** Which payloads were cut out of which messages. */
import type { Scope } from "../../types.ts";
import { readPlaces } from "../file-row.ts";
import type { FileQuery, ModelDescription, StoredFile } from "../file-store.ts";
import { CONVERSATION_ID } from "../statement.ts";
import type { Page } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "../tables/pages.ts";
import { isoTimestamp } from "./rows.ts";
import type { Session } from "./session.ts";

/** A file as one JSON value: places as they lie in their row, times as PostgreSQL writes them. */
export type FileValue = Omit<StoredFile, "places" | "createdAt"> & {
  readonly places: string;
  readonly createdAt: string;
};

/** Of `f` in large_files, with its conversation `v` and its content `x`. */
const FILE_VALUE = `json_build_object('id', f.file_id, 'conversation', v.uid, 'seq', f.seq, 'ordinal', f.ordinal,
  'kind', f.kind, 'name', f.file_name, 'mime', f.mime_type, 'tool', f.tool_name,
  'description', f.exploration_summary, 'origin', f.origin, 'content', encode(f.content_hash, 'hex'),
  'bytes', x.byte_size, 'lines', x.line_count, 'writing', f.writing, 'places', f.places,
  'createdAt', f.created_at::text, 'described', CASE WHEN f.model_summary IS NOT NULL THEN json_build_object(
    'text', f.model_summary, 'model', f.model, 'at', f.model_summary_at::text) END)`;

const JOINED = `JOIN conversations v ON v.tenant = f.tenant AND v.conversation_id = f.conversation_id
  JOIN file_contents x ON x.tenant = f.tenant AND x.content_hash = f.content_hash`;

/** The payloads of the message in `page`, in order; NULL when it has none apart. */
export const FILES_COLUMN = `CASE WHEN page.large_content IS NOT NULL THEN (
  SELECT json_agg(${FILE_VALUE} ORDER BY f.ordinal) FROM large_files f ${JOINED}
  WHERE f.tenant = page.tenant AND f.conversation_id = page.conversation_id AND f.seq = page.seq) END AS files`;

export function toFile({ places, createdAt, described, ...file }: FileValue): StoredFile {
  return {
    ...file,
    places: readPlaces(places),
    createdAt: isoTimestamp(createdAt),
    described: described === null ? null : withIsoTime(described),
  };
}

function withIsoTime(described: ModelDescription): ModelDescription {
  return { ...described, at: isoTimestamp(described.at) };
}

export async function findFile(session: Session, scope: Scope, id: string): Promise<StoredFile | undefined> {
  const row = await session.one<{ file: FileValue }>(
    `SELECT ${FILE_VALUE} AS file FROM large_files f ${JOINED}
     WHERE f.tenant = $1 AND f.agent = $2 AND f.file_id = $3`,
    scope.tenant,
    scope.agent,
    id,
  );
  return row === undefined ? undefined : toFile(row.file);
}

type ListedRow = { file_number: number; file: FileValue };

/** Positions count down, so that the newest come first. */
function selectFiles(which: string): string {
  return `SELECT f.file_number, ${FILE_VALUE} AS file FROM (
      SELECT * FROM large_files WHERE tenant = $1 AND agent = $2 AND file_number <= $4
        AND ($5::text IS NULL OR kind = $5) AND ${which}
      ORDER BY file_number DESC LIMIT $6::bigint + 1) f
    ${JOINED} ORDER BY f.file_number DESC`;
}

const OF_CONVERSATION = selectFiles(`conversation_id = ${CONVERSATION_ID} AND seq >= 0`);
const OF_SCOPE = selectFiles("$3::text IS NULL");

export async function listFiles(session: Session, scope: Scope, query: FileQuery): Promise<Page<StoredFile>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<ListedRow>(
    query.conversation === undefined ? OF_SCOPE : OF_CONVERSATION,
    scope.tenant,
    scope.agent,
    query.conversation ?? null,
    query.from ?? END,
    query.kind ?? null,
    limit,
  );
  const page = pageOf(rows, limit, (row) => row.file_number);
  return { rows: page.rows.map(({ file }) => toFile(file)), next: page.next };
}
