import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { Address, ConversationQuery, NewConversation, Page, StoredConversation } from "../store.ts";
import { bytes, DEFAULT_LIMIT, withoutNul } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

export type ConversationRow = {
  conversation_id: number;
  uid: string;
  session_id: string;
  session_key: string | null;
  title: string | null;
  title_is_automatic: boolean;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  last_seq: number;
  token_count: number;
  head_hash: string;
  last_summary: number;
  context_items: number;
  context_tokens: number;
  context_stub_tokens: number;
};

export const CONVERSATION_COLUMNS = `conversation_id, uid, session_id, session_key, title, title_is_automatic,
  created_at, updated_at, archived_at, last_seq, token_count, encode(head_hash, 'hex') AS head_hash,
  last_summary, context_items, context_tokens, context_stub_tokens`;

/** The row id of the conversation with the public id $3 in the scope ($1, $2). Every read by id starts here. */
export const CONVERSATION_ID =
  "(SELECT conversation_id FROM conversations WHERE tenant = $1 AND agent = $2 AND uid = $3)";

const BY_ID = `SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE tenant = $1 AND agent = $2 AND uid = $3`;

/** $3 is the session's stable name; $4 its id, under which it may be known until it gets that name. */
const BY_SESSION = `SELECT ${CONVERSATION_COLUMNS} FROM conversations
  WHERE tenant = $1 AND agent = $2 AND archived_at IS NULL
    AND coalesce(session_key, session_id) IN ($3, $4)
    AND (coalesce(session_key, session_id) = $3 OR session_key IS NULL)
  ORDER BY coalesce(session_key, session_id) = $3 DESC LIMIT 1`;

export function toConversation(row: ConversationRow): StoredConversation {
  return {
    id: row.uid,
    sessionId: row.session_id,
    sessionKey: row.session_key,
    title: row.title,
    titleIsAutomatic: row.title_is_automatic,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    messageCount: row.last_seq,
    tokenCount: row.token_count,
    headHash: row.head_hash,
    contextItems: row.context_items,
    contextTokens: row.context_tokens,
    contextStubTokens: row.context_stub_tokens,
  };
}

export function findConversation(
  session: Session | Transaction,
  scope: Scope,
  address: Address,
): Promise<ConversationRow | undefined> {
  const sql = "id" in address ? BY_ID : BY_SESSION;
  return session.one<ConversationRow>(sql, scope.tenant, scope.agent, ...addressValues(address));
}

export async function listConversations(
  session: Session,
  scope: Scope,
  query: ConversationQuery,
): Promise<Page<StoredConversation>> {
  const from = query.from ?? 0;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await session.rows<ConversationRow>(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversations
     WHERE tenant = $1 AND agent = $2 AND updated_at > '-infinity' AND ($3 OR archived_at IS NULL)
     ORDER BY updated_at DESC, uid LIMIT $4::bigint + 1 OFFSET $5`,
    scope.tenant,
    scope.agent,
    query.archived === true,
    limit,
    from,
  );
  return { rows: rows.slice(0, limit).map(toConversation), next: rows.length > limit ? from + limit : null };
}

/**
 * Locks the conversation until the end of the transaction, so that nobody else writes to it, and remembers it
 * for statements that are sent before the answer to this one is known: see `HELD_CONVERSATION`.
 */
export function lockConversation(
  transaction: Transaction,
  scope: Scope,
  address: Address,
): Promise<ConversationRow | undefined> {
  const sql = "id" in address ? LOCK_BY_ID : LOCK_BY_SESSION;
  return transaction.one<ConversationRow>(sql, scope.tenant, scope.agent, ...addressValues(address));
}

export const HELD_CONVERSATION = "nullif(current_setting('palimpsest.conversation', true), '')::bigint";

const LOCK_BY_ID = lockAndRemember(BY_ID);
const LOCK_BY_SESSION = lockAndRemember(BY_SESSION);

/** Two steps, because the memory must be written for the row that was locked and for no other candidate. */
function lockAndRemember(select: string): string {
  return `WITH locked AS MATERIALIZED (${select} FOR UPDATE)
    SELECT *, set_config('palimpsest.conversation', conversation_id::text, true) AS remembered FROM locked`;
}

/** The conversation's row, locked, or an error that says it does not exist (in this scope). */
export async function requireConversation(
  transaction: Transaction,
  scope: Scope,
  id: string,
): Promise<ConversationRow> {
  const row = await lockConversation(transaction, scope, { id });
  if (row === undefined) throw conversationNotFound({ id });
  return row;
}

export function conversationNotFound(address: Address): PalimpsestError {
  const name = "id" in address ? address.id : address.sessionId;
  return new PalimpsestError("not-found", `there is no conversation ${name}`, {
    advice: "List what is there with: lcm conversations",
  });
}

/** Creates the conversation unless another process has just done so. Answers with 1 or 0. */
export function createConversation(
  transaction: Transaction,
  scope: Scope,
  session: Exclude<Address, { id: string }>,
  create: NewConversation,
  at: string,
): Promise<number> {
  return transaction.run(
    `INSERT INTO conversations (tenant, agent, uid, session_id, session_key, title, title_is_automatic, created_at,
       updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    scope.tenant,
    scope.agent,
    create.id,
    session.sessionId,
    session.sessionKey,
    withoutNul(create.title),
    create.titleIsAutomatic !== false,
    create.createdAt,
    at,
  );
}

/** Brings the session's names up to date when the host came with a stable key. */
export function nameSession(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  address: Address,
): ConversationRow {
  if ("id" in address || address.sessionKey === null) return row;
  if (row.session_key === address.sessionKey && row.session_id === address.sessionId) return row;
  transaction.send(
    "UPDATE conversations SET session_key = $3, session_id = $4 WHERE tenant = $1 AND conversation_id = $2",
    scope.tenant,
    row.conversation_id,
    address.sessionKey,
    address.sessionId,
  );
  return { ...row, session_key: address.sessionKey, session_id: address.sessionId };
}

type Counters = Pick<ConversationRow, "context_items" | "context_tokens" | "context_stub_tokens">;

/** Moves the end of the conversation, and its counters by what joined the context. Answers with the counters. */
export function updateHead(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  joined: { readonly items: number; readonly tokens: number; readonly stubTokens: number },
): Promise<Counters | undefined> {
  return transaction.one<Counters>(
    `UPDATE conversations SET last_seq = $3, token_count = $4, head_hash = $5, updated_at = $6,
       context_items = context_items + $7, context_tokens = context_tokens + $8,
       context_stub_tokens = context_stub_tokens + $9
     WHERE tenant = $1 AND conversation_id = $2 RETURNING context_items, context_tokens, context_stub_tokens`,
    scope.tenant,
    row.conversation_id,
    row.last_seq,
    row.token_count,
    bytes(row.head_hash),
    row.updated_at,
    joined.items,
    joined.tokens,
    joined.stubTokens,
  );
}

function addressValues(address: Address): readonly string[] {
  if ("id" in address) return [address.id];
  return [address.sessionKey ?? address.sessionId, address.sessionId];
}
