/** Messages as their bytes and little else, for reading many of them. */
import { joinBytes } from "../../text/bytes.ts";
import type { MessageFormat, Role } from "../../types.ts";
import type { RangeQuery, StoredOriginal } from "../store.ts";
import { DEFAULT_LIMIT, DEFAULT_PAGE_BYTES } from "../tables/pages.ts";
import { readFilesOf } from "./contents/large-files.ts";
import { originalOf } from "./contents/original-of.ts";
import type { Database } from "./database.ts";
import { rowIdRange, seqOfRowId } from "./rows.ts";

/** A page whose contents lie one behind the other in `contents`, ready to change threads. */
export interface PackedOriginals {
  readonly rows: readonly Omit<StoredOriginal, "content">[];
  readonly lengths: readonly number[];
  readonly contents: Uint8Array<ArrayBuffer>;
  readonly next: number | null;
}

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
  { from, to, limit = DEFAULT_LIMIT }: RangeQuery,
): PackedOriginals {
  const rows: Omit<StoredOriginal, "content">[] = [];
  const contents: Uint8Array[] = [];
  let size = 0;
  let next: number | null = null;
  for (const row of selectOriginals(database, conversationId, from, to)) {
    if (rows.length >= limit || size >= DEFAULT_PAGE_BYTES) {
      next = seqOfRowId(row.message_id);
      break;
    }
    const content = originalOf(database, row, { payloads: "summarise" }) ?? row.content;
    rows.push({ ...toOriginal(row), fileIds: fileIdsOf(database, conversationId, row) });
    contents.push(content);
    size += content.byteLength;
  }
  const lengths = contents.map((content) => content.byteLength);
  return { rows, lengths, contents: joinBytes(contents), next };
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

export function unpackOriginals({ rows, lengths, contents }: PackedOriginals): StoredOriginal[] {
  let end = 0;
  return rows.map((row, index) => {
    const start = end;
    end += lengths[index] ?? 0;
    return { ...row, content: contents.subarray(start, end) };
  });
}
