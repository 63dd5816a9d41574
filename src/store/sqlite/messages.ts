/** Reads messages in packed form, so that their contents are transferred in one buffer. */
import type { ExclusionReason, MessageFormat, PartType, Role, ToolStatus } from "../../types.ts";
import type { Payloads } from "../file-store.ts";
import type { MessageQuery, PartIndex, StoredMessage } from "../store.ts";
import { originalOf } from "./contents/original-of.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { type PackedPage, type PackedRows, packContents, takePage } from "./packed-page.ts";
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

export function readMessages(
  database: Database,
  conversationId: number,
  query: MessageQuery,
): PackedPage<StoredMessage> {
  const { rows, contents, following } = takePage(
    selectMessages(database, conversationId, query),
    query,
    (row) => originalOf(database, row, { ...query, payloads: query.payloads ?? "whole" }),
  );
  return { ...pack(database, rows, contents), next: following && seqOfRowId(following.message_id) };
}

/** Messages by their row ids, in that order. */
export function readMessagesById(
  database: Database,
  ids: readonly number[],
  payloadsOf: (id: number) => Payloads = () => "whole",
): PackedRows<StoredMessage> {
  const rows = selectById(database, ids, MESSAGE_COLUMNS);
  const contents = rows.map((row) => originalOf(database, row, { payloads: payloadsOf(row.message_id) }));
  return pack(database, rows, contents);
}

/** The same without erased ones, and the index in `ids` of each. */
export function readMessagesSearched(
  database: Database,
  ids: readonly number[],
  withoutContent: boolean,
): PackedRows<StoredMessage> & { readonly places: readonly number[] } {
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
): PackedRows<StoredMessage> {
  const parts = readParts(
    database,
    rows.map((row) => row.message_id),
  );
  return {
    rows: rows.map((row) => toMessage(row, parts.get(row.message_id) ?? [])),
    ...packContents(contents),
  };
}

const hex = (column: string) => `${SQLITE.hexOrNull(`m.${column}`)} AS ${column}`;
/** Hashes are read as text: a buffer for each would take longer than everything else. */
const OTHER_COLUMNS = `m.message_id, m.message_key, m.role, m.format, m.encoding, m.token_count, m.created_at,
  m.erased_at, ${hex("salt")}, ${hex("digest")}, ${hex("hash")}, m.large_content, m.stub_token_count, x.reason`;
const MESSAGE_COLUMNS = `${OTHER_COLUMNS}, CAST(m.content AS BLOB) AS content`;
const COLUMNS_WITHOUT_CONTENT = `${OTHER_COLUMNS}, NULL AS content`;

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
