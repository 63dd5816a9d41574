import { encodeUtf8 } from "../../text/utf8.ts";
import type { ExclusionReason, MessageFormat, PartType, Role, Scope, ToolStatus } from "../../types.ts";
import type { Payloads } from "../file-store.ts";
import type { MessageWithFiles } from "../reads/dump.ts";
import { CONVERSATION_ID } from "../statement.ts";
import type { MessageQuery, Page, PartIndex, RangeQuery, StoredMessage, StoredOriginal } from "../store.ts";
import { DEFAULT_LIMIT, DEFAULT_PAGE_BYTES, END } from "../tables/pages.ts";
import { CONTENT_COLUMNS, type ContentRow, joinSlices, pageWindow, SLICES } from "./content.ts";
import { readFilled } from "./fill-contents.ts";
import { FILES_COLUMN, type FileValue } from "./large-files.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/** The parts of the message in `page`, in order, as one JSON value. */
const PARTS_COLUMN = `(
  SELECT json_agg(json_build_array(p.part_type, p.tool_call_id, p.tool_name, p.tool_status) ORDER BY p.ordinal)
  FROM message_parts p
  WHERE p.tenant = $1 AND p.conversation_id = page.conversation_id AND p.seq = page.seq) AS parts`;

type PartTuple = [PartType, string | null, string | null, ToolStatus | null];

function toParts(tuples: readonly PartTuple[] | null): PartIndex[] {
  return (tuples ?? []).map(([type, toolCallId, toolName, toolStatus]) => ({
    type,
    toolCallId,
    toolName,
    toolStatus,
  }));
}

type MessageRow = ContentRow & {
  seq: number;
  message_key: string;
  role: Role;
  format: MessageFormat;
  token_count: number;
  created_at: string;
  erased_at: string | null;
  salt: string | null;
  digest: string;
  hash: string;
  reason: ExclusionReason | null;
  parts: PartTuple[] | null;
  stub_token_count: number | null;
  files: FileValue[] | null;
};

/** The columns of a message in `page` without its content. */
const MESSAGE_COLUMNS = `page.seq, page.message_key, page.role, page.format, page.token_count, page.created_at,
  page.erased_at, encode(page.salt, 'hex') AS salt, encode(page.digest, 'hex') AS digest,
  encode(page.hash, 'hex') AS hash, page.stub_token_count, ${PARTS_COLUMN}, ${FILES_COLUMN},
  (SELECT x.reason FROM context_exclusions x WHERE x.tenant = $1
    AND x.conversation_id = page.conversation_id AND x.seq = page.seq) AS reason`;

/** Of messages, with their contents if the parameter requires it. */
const columnsOf = (
  withContent: string,
) => `tenant, conversation_id, seq, message_key, role, format, token_count,
  created_at, erased_at, salt, digest, hash, stub_token_count, encoding,
  CASE WHEN ${withContent} THEN large_content END AS large_content, CASE WHEN ${withContent} THEN content END AS content,
  CASE WHEN ${withContent} THEN content_size ELSE 0 END AS content_size`;

/** One statement for messages, parts, exclusions and contents: one snapshot, and one round trip. */
const SELECT_PAGE = `
  SELECT ${MESSAGE_COLUMNS}, page.following, ${CONTENT_COLUMNS}
  FROM (
    SELECT *, ${pageWindow("seq")} FROM (
      SELECT ${columnsOf("$9")} FROM messages WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID}
        AND seq BETWEEN $4 AND $5 AND ($6::text[] IS NULL OR role = ANY($6::text[]))
      ORDER BY seq LIMIT $7::bigint + 1) candidates
    WINDOW by_position AS (ORDER BY seq)) page
  ${SLICES}
  WHERE page.rank <= $7::bigint AND page.bytes_before < $8::bigint
  ORDER BY page.seq`;

export async function readMessagesWithFiles(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: MessageQuery,
): Promise<Page<MessageWithFiles>> {
  const roles = query.roles ?? [];
  const read = async () => {
    const rows = await session.rows<MessageRow>(
      SELECT_PAGE,
      scope.tenant,
      scope.agent,
      conversation,
      query.from ?? 0,
      query.to ?? END,
      roles.length === 0 ? null : roles,
      query.limit ?? DEFAULT_LIMIT,
      // At least one message, however large it is.
      Math.max(1, query.maxBytes ?? DEFAULT_PAGE_BYTES),
      query.withoutContent !== true,
    );
    return joinSlices(rows);
  };
  const found = await readFilled(session, scope, read, () => ({
    ...query,
    payloads: query.payloads ?? "whole",
  }));
  return {
    rows: found.map(({ row, content, files }) => ({ message: toMessage(row, content), files })),
    next: found.at(-1)?.row.following ?? null,
  };
}

export async function readMessages(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  query: MessageQuery,
): Promise<Page<StoredMessage>> {
  const { rows, next } = await readMessagesWithFiles(session, scope, conversation, query);
  return { rows: rows.map(({ message }) => message), next };
}

/** Each content in its own buffer: the driver's buffers are parts of the received data. */
export async function readOriginals(
  session: Session,
  scope: Scope,
  conversation: string,
  query: RangeQuery,
): Promise<Page<StoredOriginal>> {
  const page = await readMessagesWithFiles(session, scope, conversation, { ...query, payloads: "summarise" });
  const originals = page.rows.flatMap(({ message, files }) => {
    const { seq, role, format, tokenCount, createdAt, content } = message;
    if (content === null) return [];
    const fileIds = files.map(({ id }) => id);
    return { seq, role, format, tokenCount, createdAt, content: ownBytes(content), fileIds };
  });
  return { rows: originals, next: page.next };
}

function ownBytes(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? encodeUtf8(content) : new Uint8Array(content);
}

const SELECT_MESSAGES_AT = `
  SELECT ${MESSAGE_COLUMNS}, NULL::bigint AS following, ${CONTENT_COLUMNS}
  FROM (
    SELECT m.* FROM unnest($4::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
      SELECT * FROM messages WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID} AND seq = wanted.seq
        AND erased_at IS NULL LIMIT 1) m) page
  ${SLICES} ORDER BY page.seq`;

/** Messages by their seqs, in order, without erased ones. */
export async function readMessagesAt(
  session: Session | Transaction,
  scope: Scope,
  conversation: string,
  seqs: readonly number[],
  payloadsOf: (seq: number) => Payloads = () => "whole",
): Promise<StoredMessage[]> {
  if (seqs.length === 0) return [];
  const values = [scope.tenant, scope.agent, conversation, seqs];
  const read = async () => joinSlices(await session.rows<MessageRow>(SELECT_MESSAGES_AT, ...values));
  const found = await readFilled(session, scope, read, ({ seq }) => ({ payloads: payloadsOf(seq) }));
  return found.map(({ row, content }) => toMessage(row, content));
}

const SELECT_MESSAGES_OF = `
  SELECT page.uid, ${MESSAGE_COLUMNS}, NULL::bigint AS following, ${CONTENT_COLUMNS}
  FROM (
    SELECT c.uid, m.* FROM unnest($3::text[], $4::bigint[]) AS wanted(uid, seq)
    JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.uid = wanted.uid
    CROSS JOIN LATERAL (
      SELECT ${columnsOf("$5")} FROM messages WHERE tenant = $1 AND conversation_id = c.conversation_id AND seq = wanted.seq
        AND erased_at IS NULL LIMIT 1) m) page
  ${SLICES} ORDER BY page.uid, page.seq`;

/** Messages of any conversations in the form in which they are searched, without erased ones. */
export async function readMessagesOf(
  session: Session,
  scope: Scope,
  places: readonly { readonly conversation: string; readonly number: number }[],
  withoutContent: boolean,
): Promise<{ readonly conversation: string; readonly message: StoredMessage }[]> {
  if (places.length === 0) return [];
  const read = async () =>
    joinSlices(
      await session.rows<MessageRow & { uid: string }>(
        SELECT_MESSAGES_OF,
        scope.tenant,
        scope.agent,
        places.map(({ conversation }) => conversation),
        places.map(({ number }) => number),
        !withoutContent,
      ),
    );
  const found = await readFilled(session, scope, read, () => ({ payloads: "search" }));
  return found.map(({ row, content }) => ({ conversation: row.uid, message: toMessage(row, content) }));
}

function toMessage(row: MessageRow, content: string | Uint8Array | null): StoredMessage {
  return {
    seq: row.seq,
    key: row.message_key,
    role: row.role,
    format: row.format,
    content,
    tokenCount: row.token_count,
    stubTokenCount: row.stub_token_count,
    createdAt: row.created_at,
    erasedAt: row.erased_at,
    excluded: row.reason,
    salt: row.salt,
    digest: row.digest,
    hash: row.hash,
    parts: toParts(row.parts),
  };
}
