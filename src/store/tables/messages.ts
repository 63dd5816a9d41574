/** Messages with their originals. They are appended and never changed; only an erasure removes their content. */
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Port, Reader } from "../port.ts";
import type { ErasedAt } from "../rules/erased-receipts.ts";
import type { KnownMessage, SealedMessage } from "../rules/place-messages.ts";
import { readViewKey, viewPrefix } from "../rules/view-key.ts";
import { CONTENT_KEY_PREFIX } from "../seal.ts";
import { type Statement, statement } from "../statement.ts";
import { type LineOrigin, ORDINAL_GAP, type StoredMessage, type StoredTurn } from "../store.ts";
import { recountContext } from "./context-items.ts";

/** One lookup for each key, and never a scan of the whole conversation, whatever the sizes of other conversations. */
const FIND_BY_KEYS = statement(
  (
    d,
  ) => `SELECT m.seq, m.message_key AS "key", ${d.hexOrNull("m.salt")} AS salt, ${d.hex("m.digest")} AS digest,
      x.reason AS excluded
    FROM ${d.list("$2", "text", "wanted")}
    ${d.each("messages", "m", `${d.conversation("m", d.held)} AND m.message_key = wanted.value`)}
    ${d.maybe("context_exclusions", "x", d.sameMessage("x", "m"))}`,
);

/** The stored messages with these keys in the conversation that the transaction holds. */
export async function findByKeys(
  port: Port,
  { tenant }: Scope,
  keys: readonly string[],
): Promise<KnownMessage[]> {
  if (keys.length === 0) return [];
  return port.rows<KnownMessage>(FIND_BY_KEYS, tenant, [...new Set(keys)]);
}

const WITH_KEY = statement(
  (d) => `SELECT c.uid FROM conversations c WHERE c.tenant = $1 AND c.agent = $2 AND EXISTS
      (SELECT 1 FROM messages m WHERE ${d.conversation("m", "c.conversation_id")} AND m.message_key = $3)
    ORDER BY c.created_at, c.uid`,
);

/** One lookup for each conversation of the scope. */
export async function findConversationsWith(
  reader: Reader,
  { tenant, agent }: Scope,
  key: string,
): Promise<string[]> {
  const rows = await reader.rows<{ uid: string }>(WITH_KEY, tenant, agent, key);
  return rows.map(({ uid }) => uid);
}

const FIND_SHOWN = statement(
  (
    d,
  ) => `SELECT m.seq, m.message_key AS "key", ${d.hexOrNull("m.salt")} AS salt, ${d.hex("m.digest")} AS digest,
      x.reason AS excluded
    FROM ${d.list("$2", "text", "wanted")}
    ${d.join("messages", "m", `${d.conversation("m", d.held)} AND m.message_key > wanted.value AND m.message_key < wanted.value || ';' AND m.seq > $3`)}
    ${d.maybe("context_exclusions", "x", d.sameMessage("x", "m"))}`,
);

/** Messages after a seq with the same content as those with these keys, under any key. */
export async function findShown(
  port: Port,
  { tenant }: Scope,
  keys: readonly string[],
  after: number,
): Promise<KnownMessage[]> {
  const prefixes = keys.flatMap((key) => {
    const shown = readViewKey(key);
    return shown === null ? [] : viewPrefix(shown);
  });
  if (prefixes.length === 0) return [];
  return port.rows<KnownMessage>(FIND_SHOWN, tenant, [...new Set(prefixes)], after);
}

const COLUMNS = {
  message_id: "rowid",
  seq: "bigint",
  message_key: "text",
  role: "text",
  format: "text",
  token_count: "integer",
  created_at: "time",
  erased_at: "time",
  salt: "hash",
  digest: "hash",
  hash: "hash",
  large_content: "text",
  stub_token_count: "integer",
  encoding: "text",
  content: "content",
  content_size: "size",
} as const;

const INSERT = insertInto("messages", COLUMNS);

/** The columns of a message's row after its payloads are cut out. */
export interface KeptContent {
  readonly encoding: string;
  readonly stored: string | Uint8Array | null;
  /** Size of the whole original in bytes. */
  readonly size: number;
  /** Its first payload; null if it is stored whole. */
  readonly largeContent: string | null;
}

/** `kept`: the stored content of each message. */
export function insertMessages(
  held: HeldConversation,
  messages: readonly SealedMessage[],
  kept: readonly KeptContent[],
): void {
  held.insert(
    INSERT,
    messages.map((message, index) => toRow(message, kept[index] ?? ERASED)),
  );
}

export const ERASED: KeptContent = { encoding: "erased", stored: null, size: 0, largeContent: null };

function toRow(message: RowOfMessage, kept: KeptContent) {
  return {
    message_id: message.seq,
    seq: message.seq,
    message_key: message.key,
    role: message.role,
    format: message.format,
    token_count: message.tokenCount,
    created_at: message.createdAt,
    erased_at: message.erasedAt,
    salt: message.salt,
    digest: message.digest,
    hash: message.hash,
    stub_token_count: message.stubTokenCount,
    encoding: kept.encoding,
    content: kept.stored,
    content_size: kept.size,
    large_content: kept.largeContent,
  };
}

export type RowOfMessage = Omit<SealedMessage, "content" | "files" | "parts" | "excluded">;

const RESTORE = insertInto("messages", COLUMNS, {
  onConflict: (d) => {
    const written = Object.keys(COLUMNS).filter((column) => !NOT_RESTORED.includes(column));
    const values = written.map((column) => `${column} = excluded.${column}`);
    return `ON CONFLICT (${d.exclusionKey}) DO UPDATE SET ${values.join(", ")} ${d.takeSize}`;
  },
});
const NOT_RESTORED = ["message_id", "seq", "content_size"];

/** Rewrites lost or damaged rows. */
export function rewriteMessage(held: HeldConversation, message: RowOfMessage, kept: KeptContent): void {
  held.insert(RESTORE, [toRow(message, kept)]);
}

const TAKEN_KEYS = statement(
  (d) => `SELECT m.message_key AS "key", m.seq FROM messages m
    WHERE ${d.allMessages("m")} AND ${d.isListed("m.message_key", "$3", "text")}`,
);

/** The key among these that the message has, or else the first that no message of the conversation has. */
export async function ownOrFreeKey(
  held: HeldConversation,
  seq: number,
  keys: readonly string[],
): Promise<string | undefined> {
  const taken = await held.rows<{ key: string; seq: number }>(TAKEN_KEYS, keys);
  const own = taken.find((row) => row.seq === seq);
  if (own !== undefined) return own.key;
  return keys.find((key) => !taken.some((row) => row.key === key));
}

const ERASED_IN_TURN = statement(
  (
    d,
  ) => `SELECT m.seq FROM messages m WHERE ${d.messages("m", "$3", "$4")} AND m.message_key = 'erased:' || m.seq
    ORDER BY m.seq`,
);

/** Messages of a turn whose keys were erased with their content. */
export async function erasedInTurn(held: HeldConversation, turn: StoredTurn): Promise<number[]> {
  const last = turn.firstSeq + turn.messageCount - 1;
  const rows = await held.rows<{ seq: number }>(ERASED_IN_TURN, turn.firstSeq, last);
  return rows.map(({ seq }) => seq);
}

const READ_ENTRIES = statement(
  (d) => `SELECT seq, message_key AS "key", role, created_at AS "createdAt", ${d.hex("digest")} AS digest
    FROM messages WHERE ${d.listedMessages("messages", "$3")} AND erased_at IS NULL ORDER BY seq`,
);

/** The identifiers of a message, and the digest that stays after its erasure. */
export type MessageEntry = Pick<StoredMessage, "seq" | "key" | "role" | "createdAt" | "digest">;

/** Those of the messages that still have their content. */
export function readEntries(held: HeldConversation, seqs: readonly number[]): Promise<MessageEntry[]> {
  return held.rows<MessageEntry>(READ_ENTRIES, seqs);
}

const FORGET_KEYS = statement(
  (d) => `UPDATE messages SET message_key = 'erased:' || seq WHERE ${d.listedMessages("messages", "$3")}`,
);

/** Keys that reveal a part of the content are erased with it. */
export function forgetKeys(held: HeldConversation, seqs: readonly number[]): void {
  if (seqs.length > 0) held.send(FORGET_KEYS, seqs);
}

const BLANK = statement(
  (d) => `UPDATE messages SET encoding = 'erased', content = NULL, salt = NULL, large_content = NULL,
      stub_token_count = NULL, erased_at = $4,
      message_key = CASE WHEN substr(message_key, 1, ${CONTENT_KEY_PREFIX.length}) = '${CONTENT_KEY_PREFIX}'
        THEN 'erased:' || seq ELSE message_key END ${d.withoutSize}
    WHERE ${d.listedMessages("messages", "$3")} AND erased_at IS NULL RETURNING seq`,
);

/** Erases the content of messages permanently. Returns those that had content. */
export async function blankMessages(
  held: HeldConversation,
  seqs: readonly number[],
  at: string,
): Promise<number[]> {
  if (seqs.length === 0) return [];
  const rows = await held.rows<{ seq: number }>(BLANK, seqs, at);
  return rows.map(({ seq }) => seq);
}

const DROP_PARTS = statement((d) => `DELETE FROM message_parts WHERE ${d.allMessages("message_parts")}`);
const DROP = statement((d) => `DELETE FROM messages WHERE ${d.allMessages("messages")}`);

/** For a deleted conversation. Returns how many there were. */
export function dropAllMessages(held: HeldConversation): Promise<number> {
  held.send(DROP_PARTS);
  return held.run(DROP);
}

export interface MessageTokens {
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

const SET_TOKENS = statement(
  (d) => `UPDATE messages SET token_count = $4, stub_token_count = $5 WHERE ${d.message("messages", "$3")}`,
);
const SET_ITEM_TOKENS = statement(
  (d) => `UPDATE context_items SET token_count = $4, stub_token_count = $5
    WHERE ${d.conversation("context_items")} AND ordinal = $3 AND item_type = 'message'`,
);

/** The token counts of a message, in its row and in the context. The caller then recounts the conversation. */
export function setTokens(
  held: HeldConversation,
  seq: number,
  { tokenCount, stubTokenCount }: MessageTokens,
): void {
  held.send(SET_TOKENS, seq, tokenCount, stubTokenCount);
  held.send(SET_ITEM_TOKENS, seq * ORDINAL_GAP, tokenCount, stubTokenCount);
}

const RECOUNT = statement(
  (d) => `UPDATE conversations SET token_count =
      (SELECT coalesce(sum(m.token_count), 0) FROM messages m WHERE ${d.allMessages("m")})
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Recounts the tokens of a conversation and of its context. */
export function recountTokens(held: HeldConversation): void {
  held.send(RECOUNT);
  recountContext(held);
}

const UPDATE_CONTENT = statement(
  (d) => `UPDATE messages SET encoding = $4, content = $5, large_content = $6
    WHERE ${d.message("messages", "$3")}`,
);

/** Stores the same content in another way: with its payloads, or without. The size of the original stays the same. */
export function updateContent(
  held: HeldConversation,
  seq: number,
  { encoding, stored, largeContent }: KeptContent,
): void {
  held.send(UPDATE_CONTENT, seq, encoding, held.port.content(stored), largeContent);
}

const seqsWhere = (condition: string) =>
  statement(
    (d) => `SELECT seq FROM messages WHERE ${d.listedMessages("messages", "$3")} AND erased_at IS NULL
      AND ${condition}`,
  );

const WHOLE = seqsWhere("large_content IS NULL");
const APART = seqsWhere("large_content IS NOT NULL");

/** Those of the messages that are stored whole; erased ones are not. */
export function seqsWhole(held: HeldConversation, seqs: readonly number[]): Promise<Set<number>> {
  return readSeqs(held, WHOLE, seqs);
}

/** Those of the messages whose payloads are stored separately. */
export function seqsApart(held: HeldConversation, seqs: readonly number[]): Promise<Set<number>> {
  return readSeqs(held, APART, seqs);
}

async function readSeqs(
  held: HeldConversation,
  which: Statement,
  seqs: readonly number[],
): Promise<Set<number>> {
  const rows = await held.rows<{ seq: number }>(which, seqs);
  return new Set(rows.map(({ seq }) => seq));
}

const READ_ERASED = statement(
  (d) => `SELECT m.seq, m.erased_at AS "erasedAt" FROM messages m
    WHERE ${d.allMessages("m")} AND m.erased_at IS NOT NULL`,
);

export function readErased(held: HeldConversation): Promise<ErasedAt[]> {
  return held.rows<ErasedAt>(READ_ERASED);
}

const READ_SEAL = statement(
  (d) => `SELECT ${d.hexOrNull("m.salt")} AS salt, ${d.hex("m.digest")} AS digest FROM messages m
    WHERE ${d.message("m", "$3")}`,
);

/** The columns that the original of a message must match. */
export function readSeal(
  held: HeldConversation,
  seq: number,
): Promise<{ readonly salt: string | null; readonly digest: string } | undefined> {
  return held.one(READ_SEAL, seq);
}

const READ_LINKS = statement(
  (d) => `SELECT m.seq, m.role, m.format, m.created_at AS "createdAt", ${d.hex("m.digest")} AS digest,
      ${d.hex("m.hash")} AS hash FROM messages m WHERE ${d.messages("m", "$3", "$4")}`,
);

/** The fields that the hash of a message covers, and the hash. */
export type ChainLink = Pick<StoredMessage, "seq" | "role" | "format" | "createdAt" | "digest" | "hash">;

export async function readLinks(
  held: HeldConversation,
  first: number,
  last: number,
): Promise<Map<number, ChainLink>> {
  const rows = await held.rows<ChainLink>(READ_LINKS, first, last);
  return new Map(rows.map((row) => [row.seq, row]));
}

const READ_ORIGINS = statement(
  (d) => `SELECT m.seq, ${d.hex("m.salt")} AS salt, m.created_at AS "createdAt" FROM messages m
    WHERE ${d.listedMessages("m", "$3")} AND m.salt IS NOT NULL`,
);

/** For messages that are not erased: the fields that their lines do not contain. */
export async function readOrigins(
  held: HeldConversation,
  seqs: readonly number[],
): Promise<Map<number, LineOrigin>> {
  const rows = await held.rows<LineOrigin & { seq: number }>(READ_ORIGINS, seqs);
  return new Map(rows.map(({ seq, salt, createdAt }) => [seq, { salt, createdAt }]));
}

const READ_HASHES = statement(
  (d) => `SELECT m.seq, ${d.hex("m.hash")} AS hash FROM messages m WHERE ${d.messages("m", "$3", "$4")}`,
);

export async function readHashes(
  held: HeldConversation,
  first: number,
  last: number,
): Promise<Map<number, string>> {
  const rows = await held.rows<{ seq: number; hash: string }>(READ_HASHES, first, last);
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
}
