/** Messages as they are read: packed, so that their contents change threads in one buffer. */
import { joinBytes } from "../../text/bytes.ts";
import type { ExclusionReason, MessageFormat, PartType, Role, ToolStatus } from "../../types.ts";
import type { Payloads } from "../file-store.ts";
import type { MessageQuery, PartIndex, StoredMessage } from "../store.ts";
import { DEFAULT_LIMIT, DEFAULT_PAGE_BYTES } from "../tables/pages.ts";
import { originalOf } from "./contents/original-of.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { rowIdRange, seqOfRowId } from "./rows.ts";

type MessageRow = {
  message_id: number;
  message_key: string;
  role: Role;
  format: MessageFormat;
  encoding: string;
  content: Uint8Array | null;
  token_count: number;
  created_at: string;
  erased_at: string | null;
  salt: string | null;
  digest: string;
  hash: string;
  large_content: string | null;
  stub_token_count: number | null;
  reason: ExclusionReason | null;
};

/** A page of messages whose contents lie one behind the other in `contents`, ready to change threads. */
export interface PackedMessages {
  readonly rows: readonly Omit<StoredMessage, "content">[];
  /** Length in bytes of each row's content; -1 where it was erased. */
  readonly lengths: readonly number[];
  readonly contents: Uint8Array<ArrayBuffer>;
  readonly next: number | null;
}

export function readMessages(
  database: Database,
  conversationId: number,
  query: MessageQuery,
): PackedMessages {
  const { rows, contents, next } = selectPage(database, conversationId, query);
  return { ...pack(database, rows, contents), next };
}

/** Messages by their row ids, in that order. */
export function readMessagesById(
  database: Database,
  ids: readonly number[],
  payloadsOf: (id: number) => Payloads = () => "whole",
): Omit<PackedMessages, "next"> {
  const rows = selectById(database, ids, MESSAGE_COLUMNS);
  const contents = rows.map((row) => originalOf(database, row, { payloads: payloadsOf(row.message_id) }));
  return pack(database, rows, contents);
}

/** The same without those that were erased, and where in `ids` each of them stands. */
export function readMessagesSearched(
  database: Database,
  ids: readonly number[],
  withoutContent: boolean,
): Omit<PackedMessages, "next"> & { readonly places: readonly number[] } {
  const columns = withoutContent ? COLUMNS_WITHOUT_CONTENT : MESSAGE_COLUMNS;
  const rows = selectById(database, ids, columns).filter(({ erased_at }) => erased_at === null);
  const contents = rows.map((row) => originalOf(database, row, { payloads: "search" }));
  return { ...pack(database, rows, contents), places: rows.map(({ place }) => place) };
}

function selectById(
  database: Database,
  ids: readonly number[],
  columns: string,
): (MessageRow & { readonly place: number })[] {
  if (ids.length === 0) return [];
  return database.all(
    `SELECT wanted.key AS place, ${columns}
     FROM json_each(?) wanted CROSS JOIN messages m ON m.message_id = wanted.value
     LEFT JOIN context_exclusions x ON x.message_id = m.message_id ORDER BY wanted.key`,
    JSON.stringify(ids),
  );
}

function pack(
  database: Database,
  rows: readonly MessageRow[],
  contents: readonly (Uint8Array | null)[],
): Omit<PackedMessages, "next"> {
  const parts = readParts(
    database,
    rows.map((row) => row.message_id),
  );
  return {
    rows: rows.map((row) => toMessage(row, parts.get(row.message_id) ?? [])),
    lengths: contents.map((content) => content?.byteLength ?? -1),
    contents: joinBytes(contents.filter((content) => content !== null)),
  };
}

const hex = (column: string) => `${SQLITE.hexOrNull(`m.${column}`)} AS ${column}`;
/** Hashes come as text: a buffer for each would take longer than all the rest. */
const OTHER_COLUMNS = `m.message_id, m.message_key, m.role, m.format, m.encoding, m.token_count, m.created_at,
  m.erased_at, ${hex("salt")}, ${hex("digest")}, ${hex("hash")}, m.large_content, m.stub_token_count, x.reason`;
const MESSAGE_COLUMNS = `${OTHER_COLUMNS}, CAST(m.content AS BLOB) AS content`;
const COLUMNS_WITHOUT_CONTENT = `${OTHER_COLUMNS}, NULL AS content`;

/** Contents are opened on the way: a page is measured by what they are, not by the room they take here. */
function selectPage(
  database: Database,
  conversationId: number,
  query: MessageQuery,
): { rows: MessageRow[]; contents: (Uint8Array | null)[]; next: number | null } {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const maxBytes = query.maxBytes ?? DEFAULT_PAGE_BYTES;
  const rows: MessageRow[] = [];
  const contents: (Uint8Array | null)[] = [];
  let size = 0;
  for (const row of selectMessages(database, conversationId, query)) {
    if (rows.length >= limit || (rows.length > 0 && size >= maxBytes))
      return { rows, contents, next: seqOfRowId(row.message_id) };
    const content = originalOf(database, row, { ...query, payloads: query.payloads ?? "whole" });
    rows.push(row);
    contents.push(content);
    size += content?.byteLength ?? 0;
  }
  return { rows, contents, next: null };
}

function selectMessages(
  database: Database,
  conversationId: number,
  query: MessageQuery,
): IterableIterator<MessageRow> {
  const columns = query.withoutContent === true ? COLUMNS_WITHOUT_CONTENT : MESSAGE_COLUMNS;
  const roles = query.roles ?? [];
  const roleFilter = roles.length === 0 ? "" : `AND m.role IN (${roles.map(() => "?").join(", ")})`;
  return database.iterate<MessageRow>(
    `SELECT ${columns} FROM messages m LEFT JOIN context_exclusions x ON x.message_id = m.message_id
     WHERE m.message_id BETWEEN ? AND ? ${roleFilter} ORDER BY m.message_id`,
    ...rowIdRange(conversationId, query.from, query.to),
    ...roles,
  );
}

function toMessage(row: MessageRow, parts: StoredMessage["parts"]): Omit<StoredMessage, "content"> {
  return {
    seq: seqOfRowId(row.message_id),
    key: row.message_key,
    role: row.role,
    format: row.format,
    tokenCount: row.token_count,
    stubTokenCount: row.stub_token_count,
    createdAt: row.created_at,
    erasedAt: row.erased_at,
    excluded: row.reason,
    salt: row.salt,
    digest: row.digest,
    hash: row.hash,
    parts,
  };
}

type PartRow = readonly [
  messageId: number,
  type: PartType,
  toolCallId: string | null,
  toolName: string | null,
  toolStatus: ToolStatus | null,
];

/** The parts of these messages, by row id. */
function readParts(database: Database, ids: readonly number[]): Map<number, PartIndex[]> {
  const parts = new Map<number, PartIndex[]>();
  if (ids.length === 0) return parts;
  const rows = database.lists<PartRow>(
    `SELECT message_id, part_type, tool_call_id, tool_name, tool_status
     FROM json_each(?) wanted CROSS JOIN message_parts ON message_id = wanted.value ORDER BY message_id, ordinal`,
    JSON.stringify(ids),
  );
  for (const [id, type, toolCallId, toolName, toolStatus] of rows) {
    const part = { type, toolCallId, toolName, toolStatus };
    const list = parts.get(id);
    if (list === undefined) parts.set(id, [part]);
    else list.push(part);
  }
  return parts;
}
