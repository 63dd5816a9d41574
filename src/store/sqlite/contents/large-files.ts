import type { StoredFile } from "../../file-store.ts";
import { type FileRow, fileColumns, fileFromRow } from "../../reads/files.ts";
import type { Database } from "../database.ts";
import { SQLITE } from "../dialect.ts";

const OF_MESSAGE = `SELECT ${fileColumns(SQLITE)} FROM large_files f
  JOIN conversations c USING (conversation_id) JOIN file_contents x USING (content_hash)
  WHERE f.conversation_id = ? AND f.seq = ? ORDER BY f.ordinal`;

/** The payloads of one message, in order. Its content is put together from them in the same step. */
export function readFilesOf(database: Database, conversationId: number, seq: number): StoredFile[] {
  return database.all<FileRow>(OF_MESSAGE, conversationId, seq).map(fileFromRow);
}
