import { encodeUtf8 } from "../../text/utf8.ts";
import type { ExclusionReason, MessageFormat, Role, Scope } from "../../types.ts";
import type { DatedFile, Payloads, StoredFile } from "../file-store.ts";
import type { MessageQuery, NewMessage, Page, RangeQuery, StoredMessage, StoredOriginal } from "../store.ts";
import {
  CONTENT_COLUMNS,
  type ContentRow,
  contentArrays,
  contentBatches,
  joinSlices,
  pageWindow,
  SLICES,
} from "./content.ts";
import { CONVERSATION_ID, HELD_CONVERSATION } from "./conversations.ts";
import { readFilled } from "./fill-contents.ts";
import { type KeptMessage, keepApart } from "./keep-apart.ts";
import { FILES_COLUMN, type FileValue } from "./large-files.ts";
import { PARTS_COLUMN, type PartTuple, toParts } from "./message-parts.ts";
import { byteaArray, bytes, DEFAULT_LIMIT, DEFAULT_PAGE_BYTES, END } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

export type KnownMessage = {
  seq: number;
  message_key: string;
  salt: string | null;
  digest: string;
  reason: ExclusionReason | null;
};

/** What is on record under these keys in the conversation that the transaction has locked. */
export async function findByKeys(
  transaction: Transaction,
  scope: Scope,
  keys: readonly string[],
): Promise<KnownMessage[]> {
  if (keys.length === 0) return [];
  return transaction.rows<KnownMessage>(FIND_BY_KEYS, scope.tenant, [...new Set(keys)]);
}

/** One lookup for each key, and never a walk through the whole conversation, however large the others are. */
const FIND_BY_KEYS = `
  SELECT m.seq, m.message_key, encode(m.salt, 'hex') AS salt, encode(m.digest, 'hex') AS digest, x.reason
  FROM unnest($2::text[]) AS wanted(key)
  CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE tenant = $1 AND conversation_id = ${HELD_CONVERSATION} AND message_key = wanted.key
    LIMIT 1) m
  LEFT JOIN LATERAL (
    SELECT reason FROM context_exclusions
    WHERE tenant = m.tenant AND conversation_id = m.conversation_id AND seq = m.seq LIMIT 1) x ON true`;

export interface SealedMessage extends Omit<NewMessage, "salt" | "content" | "excluded" | "files"> {
  readonly seq: number;
  readonly files: readonly DatedFile[];
  readonly content: string | Uint8Array | null;
  readonly excluded: ExclusionReason | null;
  readonly erasedAt: string | null;
  readonly salt: string | null;
  readonly digest: string;
  readonly hash: string;
}

/** Waits for the server only when payloads are kept apart. */
export async function insertMessages(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  messages: readonly SealedMessage[],
): Promise<void> {
  const rows = await keepApart(transaction, scope, conversationId, messages);
  for (const batch of contentBatches(rows))
    transaction.send(
      INSERT_MESSAGES,
      scope.tenant,
      conversationId,
      ...columnArrays(batch),
      ...contentArrays(batch.map((row) => row.content)),
    );
}

const INSERT_MESSAGES = `INSERT INTO messages (tenant, conversation_id, seq, message_key, role, format,
    token_count, created_at, erased_at, salt, digest, hash, large_content, stub_token_count, encoding, content,
    content_size)
  SELECT $1::text, $2::bigint, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[],
    $8::timestamptz[], $9::timestamptz[], $10::bytea[], $11::bytea[], $12::bytea[], $13::text[], $14::integer[],
    $15::text[], $16::bytea[], $17::bigint[])`;

function columnArrays(rows: readonly KeptMessage<SealedMessage>[]): readonly unknown[] {
  const messages = rows.map((row) => row.message);
  return [
    messages.map((message) => message.seq),
    messages.map((message) => message.key),
    messages.map((message) => message.role),
    messages.map((message) => message.format),
    messages.map((message) => message.tokenCount),
    messages.map((message) => message.createdAt),
    messages.map((message) => message.erasedAt),
    byteaArray(messages.map((message) => bytes(message.salt))),
    byteaArray(messages.map((message) => bytes(message.digest))),
    byteaArray(messages.map((message) => bytes(message.hash))),
    rows.map((row) => row.largeContent),
    messages.map((message) => message.stubTokenCount),
  ];
}

export type MessageRow = ContentRow & {
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

/** What a message in `page` has beside its content. */
export const MESSAGE_COLUMNS = `page.seq, page.message_key, page.role, page.format, page.token_count, page.created_at,
  page.erased_at, encode(page.salt, 'hex') AS salt, encode(page.digest, 'hex') AS digest,
  encode(page.hash, 'hex') AS hash, page.stub_token_count, ${PARTS_COLUMN}, ${FILES_COLUMN},
  (SELECT x.reason FROM context_exclusions x WHERE x.tenant = page.tenant
    AND x.conversation_id = page.conversation_id AND x.seq = page.seq) AS reason`;

/** One statement for messages, parts, exclusions and contents: all of one moment, and one round trip. */
const SELECT_PAGE = `
  SELECT ${MESSAGE_COLUMNS}, page.following, ${CONTENT_COLUMNS}
  FROM (
    SELECT *, ${pageWindow("seq")} FROM (
      SELECT tenant, conversation_id, seq, message_key, role, format, token_count, created_at, erased_at, salt,
        digest, hash, stub_token_count, encoding, CASE WHEN $9 THEN large_content END AS large_content,
        CASE WHEN $9 THEN content END AS content,
        CASE WHEN $9 THEN content_size ELSE 0 END AS content_size
      FROM messages WHERE tenant = $1 AND conversation_id = ${CONVERSATION_ID}
        AND seq BETWEEN $4 AND $5 AND ($6::text[] IS NULL OR role = ANY($6::text[]))
      ORDER BY seq LIMIT $7::bigint + 1) candidates
    WINDOW by_position AS (ORDER BY seq)) page
  ${SLICES}
  WHERE page.rank <= $7::bigint AND page.bytes_before < $8::bigint
  ORDER BY page.seq`;

/** A message with what was cut out of it. */
export interface MessageWithFiles {
  readonly message: StoredMessage;
  readonly files: readonly StoredFile[];
}

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

/** Each content in a buffer of its own: the driver's are parts of what came over the line. */
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

/** Messages by their seqs, in order, without those that were erased. */
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
      SELECT * FROM messages WHERE tenant = $1 AND conversation_id = c.conversation_id AND seq = wanted.seq
        AND erased_at IS NULL LIMIT 1) m) page
  ${SLICES} ORDER BY page.uid, page.seq`;

/** Messages of any conversations as they are searched, without those that were erased. */
export async function readMessagesOf(
  session: Session,
  scope: Scope,
  places: readonly { readonly conversation: string; readonly number: number }[],
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
      ),
    );
  const found = await readFilled(session, scope, read, () => ({ payloads: "search" }));
  return found.map(({ row, content }) => ({ conversation: row.uid, message: toMessage(row, content) }));
}

export function toMessage(row: MessageRow, content: string | Uint8Array | null): StoredMessage {
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
