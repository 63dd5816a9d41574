/** A message's content as requested: whole, or with references in place of the payloads. */
import { PalimpsestError } from "../../../errors.ts";
import { originalBytes } from "../../content-encoding.ts";
import type { Shown } from "../../file-row.ts";
import type { StoredFile } from "../../file-store.ts";
import { fillOriginal } from "../../payloads.ts";
import { type FileRow, fileColumns, fileFromRow } from "../../reads/files.ts";
import type { Database } from "../database.ts";
import { SQLITE } from "../dialect.ts";
import { conversationOfRowId, seqOfRowId } from "../rows.ts";
import { readContent } from "./file-contents.ts";

interface ContentRow {
  readonly message_id: number;
  readonly encoding: string;
  readonly content: Uint8Array | null;
  readonly large_content: string | null;
}

export function originalOf(
  database: Database,
  { message_id, encoding, content, large_content }: ContentRow,
  shown: Shown,
): Uint8Array | null {
  if (content === null) return null;
  const rest = originalBytes(encoding, content);
  if (large_content === null) return rest;
  const files = readFilesOf(database, conversationOfRowId(message_id), seqOfRowId(message_id));
  return fillOriginal(rest, files, (file) => contentOf(database, file), shown);
}

function contentOf(database: Database, { content }: StoredFile): Uint8Array {
  const payload = readContent(database, content);
  if (payload === undefined) throw new PalimpsestError("store-corrupt", "its content is not on record");
  return payload;
}

/** The whole original of a message; null once erased. */
export function readOriginal(database: Database, messageId: number): Uint8Array | null {
  const row = database.one<{
    message_id: number;
    encoding: string;
    content: Uint8Array | null;
    large_content: string | null;
  }>(
    "SELECT message_id, encoding, CAST(content AS BLOB) AS content, large_content FROM messages WHERE message_id = ?",
    messageId,
  );
  return row === undefined ? null : originalOf(database, row, { payloads: "whole" });
}

const OF_MESSAGE = `SELECT ${fileColumns(SQLITE)} FROM large_files f
  JOIN conversations c USING (conversation_id) JOIN file_contents x USING (content_hash)
  WHERE f.conversation_id = ? AND f.seq = ? ORDER BY f.ordinal`;

/** The payloads of one message, in order. Its content is assembled from them in the same step. */
export function readFilesOf(database: Database, conversationId: number, seq: number): StoredFile[] {
  return database.all<FileRow>(OF_MESSAGE, conversationId, seq).map(fileFromRow);
}
