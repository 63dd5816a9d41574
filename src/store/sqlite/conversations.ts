import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { namingErased } from "../naming-erased.ts";
import type {
  Address,
  AppendWrite,
  ConversationQuery,
  DeleteConversationWrite,
  Page,
  StoredConversation,
  UpdateConversationWrite,
} from "../store.ts";
import { writeAudit } from "./audit-log.ts";
import type { Database } from "./database.ts";
import { dropSegmentsOf } from "./drop-segments.ts";
import { forgetSources } from "./forget-sources.ts";
import { dropFiles } from "./large-files.ts";
import { dropVectorsOf } from "./message-vectors.ts";
import { DEFAULT_LIMIT, hex, rowIdRange } from "./rows.ts";

export type ConversationRow = {
  conversation_id: number;
  uid: string;
  tenant: string;
  agent: string;
  session_id: string;
  session_key: string | null;
  title: string | null;
  title_is_automatic: number;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  last_seq: number;
  token_count: number;
  head_hash: Uint8Array;
  last_summary: number;
  context_items: number;
  context_tokens: number;
  context_stub_tokens: number;
};

export function toConversation(row: ConversationRow): StoredConversation {
  return {
    id: row.uid,
    sessionId: row.session_id,
    sessionKey: row.session_key,
    title: row.title,
    titleIsAutomatic: row.title_is_automatic === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    messageCount: row.last_seq,
    tokenCount: row.token_count,
    headHash: hex(row.head_hash),
    contextItems: row.context_items,
    contextTokens: row.context_tokens,
    contextStubTokens: row.context_stub_tokens,
  };
}

export function findConversation(
  database: Database,
  scope: Scope,
  address: Address,
): ConversationRow | undefined {
  if ("id" in address)
    return database.one<ConversationRow>(
      "SELECT * FROM conversations WHERE uid = ? AND tenant = ? AND agent = ?",
      address.id,
      scope.tenant,
      scope.agent,
    );
  const { sessionId, sessionKey } = address;
  const found = findActive(database, scope, sessionKey ?? sessionId);
  if (found !== undefined || sessionKey === null) return found;
  // The session was known by its id alone until now.
  const byId = findActive(database, scope, sessionId);
  return byId?.session_key === null ? byId : undefined;
}

function findActive(database: Database, scope: Scope, session: string): ConversationRow | undefined {
  return database.one<ConversationRow>(
    `SELECT * FROM conversations
     WHERE tenant = ? AND agent = ? AND coalesce(session_key, session_id) = ? AND archived_at IS NULL`,
    scope.tenant,
    scope.agent,
    session,
  );
}

/** The conversation's row, or an error that says it does not exist (in this scope). */
export function requireConversation(database: Database, scope: Scope, id: string): ConversationRow {
  const row = findConversation(database, scope, { id });
  if (row === undefined) throw notFound(id);
  return row;
}

function notFound(name: string): PalimpsestError {
  return new PalimpsestError("not-found", `there is no conversation ${name}`, {
    advice: "List what is there with: lcm conversations",
  });
}

/** Finds or creates the conversation that an append is addressed to, and brings its session names up to date. */
export function openConversation(
  database: Database,
  scope: Scope,
  write: AppendWrite,
): { row: ConversationRow; created: boolean } {
  const row = findConversation(database, scope, write.address);
  if (row !== undefined) return { row: adoptSession(database, row, write.address), created: false };
  if (write.create === null || "id" in write.address)
    throw notFound("id" in write.address ? write.address.id : write.address.sessionId);
  database.run(
    `INSERT INTO conversations (uid, tenant, agent, session_id, session_key, title, title_is_automatic, created_at,
       updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    write.create.id,
    scope.tenant,
    scope.agent,
    write.address.sessionId,
    write.address.sessionKey,
    write.create.title,
    write.create.titleIsAutomatic === false ? 0 : 1,
    write.create.createdAt,
    write.at,
  );
  return { row: requireConversation(database, scope, write.create.id), created: true };
}

function adoptSession(database: Database, row: ConversationRow, address: Address): ConversationRow {
  if ("id" in address || address.sessionKey === null) return row;
  if (row.session_key === address.sessionKey && row.session_id === address.sessionId) return row;
  database.run(
    "UPDATE conversations SET session_key = ?, session_id = ? WHERE conversation_id = ?",
    address.sessionKey,
    address.sessionId,
    row.conversation_id,
  );
  return { ...row, session_key: address.sessionKey, session_id: address.sessionId };
}

export function listConversations(
  database: Database,
  scope: Scope,
  query: ConversationQuery,
): Page<StoredConversation> {
  const from = query.from ?? 0;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<ConversationRow>(
    `SELECT * FROM conversations WHERE tenant = ? AND agent = ? AND (? OR archived_at IS NULL)
     ORDER BY updated_at DESC, uid LIMIT ? OFFSET ?`,
    scope.tenant,
    scope.agent,
    query.archived === true ? 1 : 0,
    limit + 1,
    from,
  );
  return { rows: rows.slice(0, limit).map(toConversation), next: rows.length > limit ? from + limit : null };
}

export function updateConversation(
  database: Database,
  scope: Scope,
  write: UpdateConversationWrite,
): StoredConversation {
  const row = requireConversation(database, scope, write.id);
  const archivedAt = write.archivedAt === undefined ? row.archived_at : write.archivedAt;
  if (archivedAt === null && row.archived_at !== null) refuseSecondActive(database, scope, row);
  database.run(
    `UPDATE conversations SET title = ?, title_is_automatic = ?, archived_at = ?, updated_at = ?
     WHERE conversation_id = ?`,
    write.title ?? row.title,
    write.title === undefined ? row.title_is_automatic : 0,
    archivedAt,
    write.at,
    row.conversation_id,
  );
  return toConversation(requireConversation(database, scope, write.id));
}

function refuseSecondActive(database: Database, scope: Scope, row: ConversationRow): void {
  const session = row.session_key ?? row.session_id;
  const active = findActive(database, scope, session);
  if (active === undefined) return;
  throw new PalimpsestError("conflict", `session ${session} is active in ${active.uid}`, {
    advice: `Archive that one first: lcm conversations archive ${active.uid}`,
  });
}

/** Every table that belongs to a conversation, children first. */
const TABLES_BY_CONVERSATION = [
  "compaction_locks",
  "compaction_events",
  "summary_messages",
  "summary_parents",
  "summaries",
  "context_items",
  "context_exclusions",
  "transcript_lines",
  "conversation_bootstrap_state",
  "assembly_receipts",
  "turns",
];

export function deleteConversation(
  database: Database,
  scope: Scope,
  write: DeleteConversationWrite,
): { messages: number; memories: number } {
  const { conversation_id } = requireConversation(database, scope, write.id);
  dropSegmentsOf(database, conversation_id);
  dropVectorsOf(database, conversation_id);
  for (const table of TABLES_BY_CONVERSATION)
    database.run(`DELETE FROM ${table} WHERE conversation_id = ?`, conversation_id);
  const [first, last] = rowIdRange(conversation_id);
  database.run("DELETE FROM message_parts WHERE message_id BETWEEN ? AND ?", first, last);
  const messages = database.run("DELETE FROM messages WHERE message_id BETWEEN ? AND ?", first, last);
  dropFiles(database, conversation_id, 0, Number.MAX_SAFE_INTEGER);
  database.run("DELETE FROM conversations WHERE conversation_id = ?", conversation_id);
  const erasure = { tenant: scope.tenant, conversation: write.id, seqs: "all", at: write.audit.at } as const;
  const memories = forgetSources(database, erasure);
  writeAudit(database, scope, namingErased(write.audit, memories));
  return { messages, memories: memories.erased.length };
}
