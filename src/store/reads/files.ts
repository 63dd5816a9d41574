/** Lists files that were cut out of messages. */
import type { Scope } from "../../types.ts";
import { readPlaces } from "../file-row.ts";
import type { FileMark, FileQuery, StoredFile } from "../file-store.ts";
import type { Reader } from "../port.ts";
import { type Dialect, statement } from "../statement.ts";
import type { Page } from "../store.ts";
import { DEFAULT_LIMIT, END, pageOf } from "../tables/pages.ts";

export type FileRow = Omit<StoredFile, "places" | "described"> & {
  readonly file_number: number;
  readonly places: string;
  readonly model_summary: string | null;
  readonly model: string | null;
  readonly model_summary_at: string | null;
};

/** For a file `f` in a conversation `c`, with its content `x`. */
export const fileColumns = (d: Dialect) =>
  `f.file_number, f.file_id AS id, c.uid AS conversation, f.seq, f.ordinal, f.kind, f.file_name AS name,
  f.mime_type AS mime, f.tool_name AS tool, f.exploration_summary AS description, f.origin,
  ${d.hex("f.content_hash")} AS content, x.byte_size AS bytes, x.line_count AS lines, f.writing, f.places,
  f.created_at AS "createdAt", f.model_summary, f.model, f.model_summary_at`;

const selectFiles = (d: Dialect) => `SELECT ${fileColumns(d)} FROM large_files f
  JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.conversation_id = f.conversation_id
  JOIN file_contents x ON ${d.sameTenant("x")} AND x.content_hash = f.content_hash
  WHERE ${d.sameTenant("f")}`;

const BY_ID = statement((d) => `${selectFiles(d)} AND f.file_id = $3`);

export async function findFile(
  reader: Reader,
  { tenant, agent }: Scope,
  id: string,
): Promise<StoredFile | undefined> {
  const row = await reader.one<FileRow>(BY_ID, tenant, agent, id);
  return row === undefined ? undefined : fileFromRow(row);
}

const OF_MESSAGE = statement((d) => `${selectFiles(d)} AND c.uid = $3 AND f.seq = $4 ORDER BY f.ordinal`);

/** Files that were cut out of one message or attached to it. */
export async function filesOfMessage(
  reader: Reader,
  { tenant, agent }: Scope,
  conversation: string,
  seq: number,
): Promise<StoredFile[]> {
  return (await reader.rows<FileRow>(OF_MESSAGE, tenant, agent, conversation, seq)).map(fileFromRow);
}

const list = (condition: (d: Dialect) => string) =>
  statement(
    (d) => `${selectFiles(d)} AND f.file_number <= $4 AND (${d.text("$5")} IS NULL OR f.kind = $5)
      AND ${condition(d)} ORDER BY f.file_number DESC LIMIT $6`,
  );

const OF_CONVERSATION = list(() => "c.uid = $3");
const OF_SCOPE = list((d) => `${d.text("$3")} IS NULL`);

/** From the newest down to the position: SQLite would otherwise read all files of the scope and sort them. */
const MARKS = statement((d) => {
  const ofScope =
    d.engine === "sqlite" ? "true" : "f.tenant = $1 AND f.agent = $2 AND f.file_number IS NOT NULL";
  const scope = "c.tenant = $1 AND c.agent = $2 AND c.conversation_id = f.conversation_id";
  return `SELECT f.file_number AS position, f.file_id AS id, c.uid AS conversation
    FROM large_files f ${d.join("conversations", "c", scope)}
    WHERE ${ofScope} AND f.file_number > ${d.bigint("$3")} ORDER BY f.file_number DESC LIMIT $4`;
});

export function readFileMarks(
  reader: Reader,
  { tenant, agent }: Scope,
  after: number,
  limit: number,
): Promise<FileMark[]> {
  return reader.rows<FileMark>(MARKS, tenant, agent, after, limit);
}

/** Positions count down, so that the newest come first. */
export async function listFiles(
  reader: Reader,
  { tenant, agent }: Scope,
  { conversation, kind, from = END, limit = DEFAULT_LIMIT }: FileQuery,
): Promise<Page<StoredFile>> {
  const rows = await reader.rows<FileRow>(
    conversation === undefined ? OF_SCOPE : OF_CONVERSATION,
    ...[tenant, agent, conversation ?? null, from, kind ?? null, limit + 1],
  );
  const page = pageOf(rows, limit, (row) => row.file_number);
  return { rows: page.rows.map(fileFromRow), next: page.next };
}

export function fileFromRow({ file_number: _, ...row }: FileRow): StoredFile {
  const { places, model_summary: text, model, model_summary_at: at, ...file } = row;
  const described = text === null ? null : { text, model: model ?? "", at: at ?? "" };
  return { ...file, places: readPlaces(places), described };
}
