/** Reads many messages as bytes, with only a few other columns. */
import type { MessageFormat, Role } from "../../types.ts";
import type { RangeQuery, StoredOriginal } from "../store.ts";
import { originalOf, readFilesOf } from "./contents/original-of.ts";
import type { Database } from "./database.ts";
import { type PackedPage, packContents, takePage } from "./packed-page.ts";
import { rowIdRange, seqOfRowId } from "./rows.ts";

type OriginalRow = {
  message_id: number;
  role: Role;
  format: MessageFormat;
  encoding: string;
  token_count: number;
  created_at: string;
  content: Uint8Array;
  large_content: string | null;
};

export function readOriginals(
  database: Database,
  conversationId: number,
  { from, to, ...query }: RangeQuery,
): PackedPage<StoredOriginal> {
  const { rows, contents, following } = takePage(
    selectOriginals(database, conversationId, from, to),
    query,
    (row) => originalOf(database, row, { payloads: "summarise" }) ?? row.content,
  );
  return {
    rows: rows.map((row) => ({ ...toOriginal(row), fileIds: fileIdsOf(database, conversationId, row) })),
    ...packContents(contents),
    next: following && seqOfRowId(following.message_id),
  };
}

function selectOriginals(
  database: Database,
  conversationId: number,
  from: number | undefined,
  to: number | undefined,
): IterableIterator<OriginalRow> {
  return database.iterate<OriginalRow>(
    `SELECT message_id, role, format, encoding, token_count, created_at, large_content,
       CAST(content AS BLOB) AS content
     FROM messages WHERE message_id BETWEEN ? AND ? AND content IS NOT NULL ORDER BY message_id`,
    ...rowIdRange(conversationId, from, to),
  );
}

function fileIdsOf(
  database: Database,
  conversationId: number,
  { message_id, large_content }: OriginalRow,
): string[] {
  return large_content === null
    ? []
    : readFilesOf(database, conversationId, seqOfRowId(message_id)).map(({ id }) => id);
}

function toOriginal({ message_id, role, format, token_count, created_at }: OriginalRow) {
  return { seq: seqOfRowId(message_id), role, format, tokenCount: token_count, createdAt: created_at };
}

export function unpackOriginals({ rows, lengths, contents }: PackedPage<StoredOriginal>): StoredOriginal[] {
  let end = 0;
  return rows.map((row, index) => {
    const start = end;
    end += lengths[index] ?? 0;
    return { ...row, content: contents.subarray(start, end) };
  });
}
