/** Reads which payloads were cut out of which messages. */
import { readPlaces } from "../file-row.ts";
import type { ModelDescription, StoredFile } from "../file-store.ts";
import { isoTimestamp } from "./rows.ts";

/** A file as one JSON value: places as in the row, times in PostgreSQL's format. */
export type FileValue = Omit<StoredFile, "places" | "createdAt"> & {
  readonly places: string;
  readonly createdAt: string;
};

/** For `f` in large_files, with its conversation `v` and its content `x`. */
const FILE_VALUE = `json_build_object('id', f.file_id, 'conversation', v.uid, 'seq', f.seq, 'ordinal', f.ordinal,
  'kind', f.kind, 'name', f.file_name, 'mime', f.mime_type, 'tool', f.tool_name,
  'description', f.exploration_summary, 'origin', f.origin, 'content', encode(f.content_hash, 'hex'),
  'bytes', x.byte_size, 'lines', x.line_count, 'writing', f.writing, 'places', f.places,
  'createdAt', f.created_at::text, 'described', CASE WHEN f.model_summary IS NOT NULL THEN json_build_object(
    'text', f.model_summary, 'model', f.model, 'at', f.model_summary_at::text) END)`;

const JOINED = `JOIN conversations v ON v.tenant = $1 AND v.conversation_id = f.conversation_id
  JOIN file_contents x ON x.tenant = $1 AND x.content_hash = f.content_hash`;

/** The payloads of the message in `page`, in order; NULL if none is stored separately. */
export const FILES_COLUMN = `CASE WHEN page.large_content IS NOT NULL THEN (
  SELECT json_agg(${FILE_VALUE} ORDER BY f.ordinal) FROM large_files f ${JOINED}
  WHERE f.tenant = $1 AND f.conversation_id = page.conversation_id AND f.seq = page.seq) END AS files`;

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
