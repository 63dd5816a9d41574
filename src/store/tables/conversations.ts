/** One row for each conversation: its names, the end of its chain, and the size of its context. */
import { PalimpsestError } from "../../errors.ts";
import type { HostContext, Relation, Scope } from "../../types.ts";
import { HeldConversation, type Port, type Reader } from "../port.ts";
import type { Counts } from "../rules/counts.ts";
import { joinHostContext, NO_HOST } from "../rules/host-context.ts";
import { sealedTable, sealOf } from "../sealed-table.ts";
import { type Dialect, statement } from "../statement.ts";
import type {
  Address,
  ConversationQuery,
  DumpRow,
  ListedConversation,
  NewConversation,
  Page,
  StoredConversation,
} from "../store.ts";
import { recountContext } from "./context-items.ts";
import { DEFAULT_LIMIT } from "./pages.ts";

export type ConversationRow = {
  readonly conversation_id: number;
  readonly uid: string;
  readonly session_id: string;
  readonly session_key: string | null;
  readonly title: string | null;
  /** SQLite has no booleans. */
  readonly title_is_automatic: boolean | number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  readonly last_seq: number;
  readonly token_count: number;
  readonly head_hash: string;
  readonly last_summary: number;
  readonly context_items: number;
  readonly context_tokens: number;
  readonly context_stub_tokens: number;
  readonly turn_count: number;
  readonly receipt_count: number;
  readonly host: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly parent: string | null;
  readonly relation: Relation | null;
};

function columns(d: Dialect): string {
  return `conversation_id, uid, session_id, session_key, title, title_is_automatic, created_at, updated_at, archived_at,
    last_seq, token_count, ${d.hex("head_hash")} AS head_hash, last_summary, context_items, context_tokens,
    context_stub_tokens, turn_count, receipt_count, host, project, branch, model, parent, relation`;
}

/** The end of a conversation's chain, the size of its context, and its number of turns and receipts. */
export type ConversationEnd = Pick<
  ConversationRow,
  | "updated_at"
  | "last_seq"
  | "token_count"
  | "head_hash"
  | "last_summary"
  | "context_items"
  | "context_tokens"
  | "context_stub_tokens"
  | "turn_count"
  | "receipt_count"
>;

/** `end`: the new values if a write has changed them. */
export function toConversation(row: ConversationRow, end: ConversationEnd = row): StoredConversation {
  return {
    id: row.uid,
    sessionId: row.session_id,
    sessionKey: row.session_key,
    title: row.title,
    titleIsAutomatic: Boolean(row.title_is_automatic),
    createdAt: row.created_at,
    updatedAt: end.updated_at,
    archivedAt: row.archived_at,
    messageCount: end.last_seq,
    tokenCount: end.token_count,
    headHash: end.head_hash,
    contextItems: end.context_items,
    contextTokens: end.context_tokens,
    contextStubTokens: end.context_stub_tokens,
    host: row.host,
    project: row.project,
    branch: row.branch,
    model: row.model,
    parent: row.parent,
    relation: row.relation,
  };
}

const byId = (d: Dialect) =>
  `SELECT ${columns(d)} FROM conversations WHERE tenant = $1 AND agent = $2 AND uid = $3`;

/** By the only name of a session. */
const byName = (d: Dialect) => `SELECT ${columns(d)} FROM conversations
  WHERE tenant = $1 AND agent = $2 AND archived_at IS NULL AND coalesce(session_key, session_id) = $3`;

/** $3 is the session's stable name; $4 its id, by which it may be known until it gets that name. */
const bySession = (d: Dialect) => `SELECT ${columns(d)} FROM conversations
  WHERE tenant = $1 AND agent = $2 AND archived_at IS NULL
    AND coalesce(session_key, session_id) IN ($3, $4)
    AND (coalesce(session_key, session_id) = $3 OR session_key IS NULL)
  ORDER BY coalesce(session_key, session_id) = $3 DESC LIMIT 1`;

const FIND = { id: statement(byId), name: statement(byName), session: statement(bySession) };

export function findConversation(
  reader: Reader,
  { tenant, agent }: Scope,
  address: Address,
): Promise<ConversationRow | undefined> {
  return reader.one<ConversationRow>(FIND[kindOf(address)], tenant, agent, ...addressValues(address));
}

function kindOf(address: Address): keyof typeof FIND {
  if ("id" in address) return "id";
  return address.sessionKey === null ? "name" : "session";
}

function addressValues(address: Address): readonly string[] {
  if ("id" in address) return [address.id];
  const { sessionKey, sessionId } = address;
  return sessionKey === null ? [sessionId] : [sessionKey, sessionId];
}

type ListedRow = ConversationRow & { readonly first_at: string | null; readonly last_at: string | null };

const timeOf = (d: Dialect, seq: string) =>
  `(SELECT m.created_at FROM messages m WHERE ${d.message("m", seq, "c.conversation_id")})`;

const isBelow = (folder: string) =>
  `project = ${folder} OR substr(project, 1, length(${folder}) + 1) = ${folder} || '/'`;

const listed = (d: Dialect) => `SELECT ${columns(d)}, ${timeOf(d, "1")} AS first_at,
      ${timeOf(d, "c.last_seq")} AS last_at
    FROM conversations c
    WHERE c.tenant = $1 AND agent = $2 AND updated_at > ${d.earliest} AND ($3 OR archived_at IS NULL)
      AND (${d.text("$6")} IS NULL OR ${isBelow("$6")} OR ${isBelow(d.text("$10"))})
      AND (${d.text("$7")} IS NULL OR host = $7)
      AND (${d.text("$8")} IS NULL OR parent = $8)
      AND (${d.text("$9")} IS NULL OR coalesce(session_key, session_id) = $9)`;

/** Reads one page of the index. */
const LIST_CHANGED = statement((d) => `${listed(d)} ORDER BY updated_at DESC, uid LIMIT $4 OFFSET $5`);

/** Reads the time of the newest message of every conversation in question. */
const LIST_ACTIVE = statement(
  (d) => `SELECT * FROM (${listed(d)}) l
    WHERE (${d.time("$11")} IS NULL OR coalesce(last_at, updated_at) >= ${d.time("$11")})
      AND (${d.time("$12")} IS NULL OR coalesce(last_at, updated_at) < ${d.time("$12")})
    ORDER BY coalesce(last_at, updated_at) DESC, uid LIMIT $4 OFFSET $5`,
);

export async function listConversations(
  reader: Reader,
  { tenant, agent }: Scope,
  { archived = false, from = 0, limit = DEFAULT_LIMIT, ...only }: ConversationQuery,
): Promise<Page<ListedConversation>> {
  const page = [archived, limit + 1, from] as const;
  const { project = null, realProject = project, host = null, parent = null, session = null } = only;
  const which = [project, host, parent, session, realProject];
  const { order = "changed", since = null, before = null } = only;
  const rows =
    order === "changed"
      ? await reader.rows<ListedRow>(LIST_CHANGED, tenant, agent, ...page, ...which)
      : await reader.rows<ListedRow>(LIST_ACTIVE, tenant, agent, ...page, ...which, since, before);
  return {
    rows: rows.slice(0, limit).map((row) => ({
      ...toConversation(row),
      firstAt: row.first_at,
      lastAt: row.last_at,
    })),
    next: rows.length > limit ? from + limit : null,
  };
}

const LOCK = {
  id: statement((d) => d.hold(byId(d))),
  name: statement((d) => d.hold(byName(d))),
  session: statement((d) => d.hold(bySession(d))),
};

/**
 * Locks the conversation until the end of the transaction, so that no other process writes to it, and holds it for statements
 * that are sent before the answer to this one is known.
 */
export function lockConversation(
  port: Port,
  { tenant, agent }: Scope,
  address: Address,
): Promise<ConversationRow | undefined> {
  return port.one<ConversationRow>(LOCK[kindOf(address)], tenant, agent, ...addressValues(address));
}

/** A locked conversation and its row, or an error if it does not exist in this scope. */
export async function requireConversation(
  port: Port,
  scope: Scope,
  id: string,
): Promise<{ readonly row: ConversationRow; readonly held: HeldConversation }> {
  const row = await lockConversation(port, scope, { id });
  if (row === undefined) throw conversationNotFound({ id });
  return { row, held: new HeldConversation(port, scope, row.conversation_id) };
}

export function conversationNotFound(address: Address): PalimpsestError {
  const name = "id" in address ? address.id : address.sessionId;
  return new PalimpsestError("not-found", `there is no conversation ${name}`, {
    advice: "List conversations with: lcm conversations",
  });
}

/** The sealed columns before the host was added. */
const NAMES = {
  tenant: "text",
  agent: "text",
  uid: "text",
  session_id: "text",
  session_key: "text",
  title: "shown",
  title_is_automatic: "boolean",
  created_at: "time",
  archived_at: "time",
} as const;
export const FORMER_NAMES = sealedTable("conversations", NAMES, "conversation", {});

const HOST_NAMES = { ...NAMES, host: "shown", project: "shown", branch: "shown", model: "shown" } as const;
/** The sealed columns before the parent was added. */
export const NAMES_IN_HOST = sealedTable("conversations", HOST_NAMES, "conversation", {});

/** The names of a conversation, its scope, and its host. Its end follows from its messages. */
export const SEALED_NAMES = sealedTable(
  "conversations",
  { ...HOST_NAMES, parent: "text", relation: "text" },
  "conversation",
  {},
);

const CREATE = statement(
  () => `INSERT INTO conversations (tenant, agent, uid, session_id, session_key, title, title_is_automatic, created_at,
      updated_at, seal)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
);

/** Creates the conversation unless another process has just done so. Returns 1 or 0. */
export function createConversation(
  port: Port,
  { tenant, agent }: Scope,
  session: Exclude<Address, { id: string }>,
  { id, title, titleIsAutomatic = true, createdAt }: NewConversation,
  at: string,
): Promise<number> {
  const names = [session.sessionId, session.sessionKey, port.shown(title)];
  const seal = sealOf(SEALED_NAMES, {
    tenant,
    agent,
    uid: id,
    session_id: session.sessionId,
    session_key: session.sessionKey,
    title,
    title_is_automatic: titleIsAutomatic,
    created_at: createdAt,
    archived_at: null,
    ...NO_HOST,
  });
  return port.run(CREATE, tenant, agent, id, ...names, titleIsAutomatic, createdAt, at, seal);
}

const NAME_SESSION = statement(
  () => `UPDATE conversations SET session_key = $3, session_id = $4, seal = $5
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Updates the session's names when the host gave a stable key. */
export function nameSession(held: HeldConversation, row: ConversationRow, address: Address): ConversationRow {
  if ("id" in address || address.sessionKey === null) return row;
  const { sessionKey, sessionId } = address;
  if (row.session_key === sessionKey && row.session_id === sessionId) return row;
  const named = { ...row, session_key: sessionKey, session_id: sessionId };
  held.send(NAME_SESSION, sessionKey, sessionId, sealOfNames(held, named));
  return named;
}

const UPDATE_HOST = statement(
  () => `UPDATE conversations SET host = $3, project = $4, branch = $5, model = $6, parent = $7, relation = $8, seal = $9
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Updates where the conversation takes place. */
export function updateHost(
  held: HeldConversation,
  row: ConversationRow,
  incoming: HostContext | undefined,
): ConversationRow {
  if (incoming === undefined) return row;
  const joined = joinHostContext(row, incoming);
  if (HOST_FIELDS.every((field) => joined[field] === row[field])) return row;
  const changed = { ...row, ...joined };
  held.send(UPDATE_HOST, ...hostValues(held.port, joined), sealOfNames(held, changed));
  return changed;
}

const HOST_FIELDS = ["host", "project", "branch", "model", "parent", "relation"] as const;

function hostValues(port: Port, context: HostContext): (string | null)[] {
  return HOST_FIELDS.map((field) => port.shown(context[field]));
}

function sealOfNames({ scope: { tenant, agent } }: HeldConversation, row: ConversationRow): number {
  return sealOf(SEALED_NAMES, { ...row, tenant, agent });
}

/** The end of a conversation whose context has changed by `counts`, and nothing else. */
export function endAfter(
  row: ConversationEnd,
  { items, tokens, stubTokens }: Counts,
  updatedAt: string,
): ConversationEnd {
  return {
    updated_at: updatedAt,
    last_seq: row.last_seq,
    token_count: row.token_count,
    head_hash: row.head_hash,
    last_summary: row.last_summary,
    context_items: row.context_items + items,
    context_tokens: row.context_tokens + tokens,
    context_stub_tokens: row.context_stub_tokens + stubTokens,
    turn_count: row.turn_count,
    receipt_count: row.receipt_count,
  };
}

const UPDATE = statement(
  () => `UPDATE conversations SET updated_at = $3, last_seq = $4, token_count = $5, head_hash = $6, last_summary = $7,
      context_items = $8, context_tokens = $9, context_stub_tokens = $10, turn_count = $11, receipt_count = $12
    WHERE tenant = $1 AND conversation_id = $2`,
);

export function updateEnd(held: HeldConversation, end: ConversationEnd): void {
  held.send(
    UPDATE,
    end.updated_at,
    end.last_seq,
    end.token_count,
    Buffer.from(end.head_hash, "hex"),
    end.last_summary,
    end.context_items,
    end.context_tokens,
    end.context_stub_tokens,
    end.turn_count,
    end.receipt_count,
  );
}

const UPDATE_NAMES = statement(
  () => `UPDATE conversations SET title = $3, title_is_automatic = $4, archived_at = $5, updated_at = $6, seal = $7
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Updates its title and its archived state. Separate from the other columns, because an index depends on it. */
export function updateNames(held: HeldConversation, row: ConversationRow): void {
  const isAutomatic = Boolean(row.title_is_automatic);
  const title = held.port.shown(row.title);
  held.send(UPDATE_NAMES, title, isAutomatic, row.archived_at, row.updated_at, sealOfNames(held, row));
}

/** Tables whose rows belong to one conversation, children first. */
export const CONVERSATION_TABLES = [
  "compaction_events",
  "summary_messages",
  "summary_parents",
  "summaries",
  "transcript_lines",
  "conversation_bootstrap_state",
  "context_items",
  "context_exclusions",
  "assembly_receipts",
  "turns",
];
const DROPS = CONVERSATION_TABLES.map((table) =>
  statement((d) => `DELETE FROM ${table} WHERE ${d.conversation(table)}`),
);
const DROP = statement(() => "DELETE FROM conversations WHERE tenant = $1 AND conversation_id = $2");

/** Everything but messages, files, vectors and the search index. */
export function dropRowsOf(held: HeldConversation): void {
  for (const drop of DROPS) held.send(drop);
}

export function dropConversation(held: HeldConversation): void {
  held.send(DROP);
}

const TOUCH = statement(
  () => "UPDATE conversations SET updated_at = $3 WHERE tenant = $1 AND conversation_id = $2",
);

export function touchConversation(held: HeldConversation, at: string): void {
  held.send(TOUCH, at);
}

export type IncomingConversation = Extract<DumpRow, { row: "conversation" }>;

const IS_TAKEN = statement((d) => `SELECT uid FROM conversations WHERE ${d.anyConversation("$2")}`);

/** Whether the id of an incoming conversation is taken, and in which conversation its session is active. */
export async function isTaken(port: Port, incoming: IncomingConversation) {
  const { tenant, id, sessionId, sessionKey, archivedAt } = incoming;
  const byId = (await port.one<{ uid: string }>(IS_TAKEN, tenant, id)) !== undefined;
  const session = sessionKey ?? sessionId;
  const active =
    archivedAt === null
      ? await findConversation(port, incoming, { sessionId: session, sessionKey: null })
      : undefined;
  return { byId, session, activeAs: active?.uid ?? null };
}

const INSERT_INCOMING = statement(
  () => `INSERT INTO conversations (tenant, agent, uid, session_id, session_key, title, title_is_automatic, created_at,
      updated_at, archived_at, last_seq, token_count, head_hash, seal, host, project, branch, model, parent,
      relation)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
    RETURNING conversation_id`,
);

/** Inserts the incoming conversation unchanged and returns its row id. */
export async function insertIncoming(port: Port, incoming: IncomingConversation): Promise<number> {
  const row = await port.one<{ conversation_id: number }>(
    INSERT_INCOMING,
    incoming.tenant,
    incoming.agent,
    incoming.id,
    incoming.sessionId,
    incoming.sessionKey,
    port.shown(incoming.title),
    incoming.titleIsAutomatic,
    incoming.createdAt,
    incoming.updatedAt,
    incoming.archivedAt,
    incoming.messageCount,
    incoming.tokenCount,
    Buffer.from(incoming.headHash, "hex"),
    sealOf(SEALED_NAMES, {
      tenant: incoming.tenant,
      agent: incoming.agent,
      uid: incoming.id,
      session_id: incoming.sessionId,
      session_key: incoming.sessionKey,
      title: incoming.title,
      title_is_automatic: incoming.titleIsAutomatic,
      created_at: incoming.createdAt,
      archived_at: incoming.archivedAt,
      host: incoming.host,
      project: incoming.project,
      branch: incoming.branch,
      model: incoming.model,
      parent: incoming.parent,
      relation: incoming.relation,
    }),
    ...hostValues(port, incoming),
  );
  if (row === undefined) throw new PalimpsestError("internal", `${incoming.id} was not inserted`);
  return row.conversation_id;
}

const MOVE_HEAD = statement(
  (d) => `UPDATE conversations SET last_seq = $3, head_hash = $4,
      token_count = (SELECT sum(m.token_count) FROM messages m WHERE ${d.allMessages("m")})
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Moves the end of a known conversation to the end of the longer incoming one. */
export function moveHead(held: HeldConversation, { messageCount, headHash }: IncomingConversation): void {
  held.send(MOVE_HEAD, messageCount, Buffer.from(headHash, "hex"));
}

const rowsOf = (d: Dialect, table: string) =>
  `(SELECT count(*) FROM ${table} counted WHERE ${d.conversation("counted", "conversations.conversation_id")})`;

const MISSING = statement(
  (
    d,
  ) => `SELECT turn_count - ${rowsOf(d, "turns")} AS turns, receipt_count - ${rowsOf(d, "assembly_receipts")} AS receipts
    FROM conversations WHERE tenant = $1 AND conversation_id = $2`,
);

export interface MissingRows {
  readonly turns: number;
  readonly receipts: number;
}

/** How many turns and receipts the conversation has lost. */
export async function missingRowsOf(held: HeldConversation): Promise<MissingRows> {
  return (await held.one<MissingRows>(MISSING)) ?? { turns: 0, receipts: 0 };
}

const FINISH_LOAD = statement(
  (d) => `UPDATE conversations SET last_summary = $3, turn_count = ${rowsOf(d, "turns")} + ${d.bigint("$4")},
      receipt_count = ${rowsOf(d, "assembly_receipts")} + ${d.bigint("$5")}
    WHERE tenant = $1 AND conversation_id = $2`,
);

/** Recounts after everything was loaded. Rows that were missing before still count as missing. */
export function finishLoad(
  held: HeldConversation,
  lastSummary: number,
  { turns, receipts }: MissingRows,
): void {
  held.send(FINISH_LOAD, lastSummary, turns, receipts);
  recountContext(held);
}

const DROP_CONTEXT = ["context_items", "compaction_events"].map((table) =>
  statement((d) => `DELETE FROM ${table} WHERE ${d.conversation(table)}`),
);
const DROP_EXCLUSIONS = statement(
  (d) => `DELETE FROM context_exclusions WHERE ${d.messages("context_exclusions", "0", "$3")}`,
);

/** Empties the stored context. Exclusions of messages after `known` were just loaded and stay. */
export function dropContext(held: HeldConversation, known: number): void {
  for (const drop of DROP_CONTEXT) held.send(drop);
  held.send(DROP_EXCLUSIONS, known);
}

const TAKE_TITLE = statement(
  () => `UPDATE conversations SET title = $3, title_is_automatic = $4, updated_at = $5, host = $6, project = $7,
      branch = $8, model = $9, parent = $10, relation = $11
    WHERE tenant = $1 AND conversation_id = $2`,
);
const TAKE_SESSION = statement(
  () => `UPDATE conversations SET session_id = $3, session_key = $4, archived_at = $5
    WHERE tenant = $1 AND conversation_id = $2`,
);

const SEAL_NAMES = statement(
  () => "UPDATE conversations SET seal = $3 WHERE tenant = $1 AND conversation_id = $2",
);

/** Takes names and times from the later of the two. A session that is active here in another conversation stays there. */
export async function takeNames(held: HeldConversation, incoming: IncomingConversation): Promise<void> {
  const { title, titleIsAutomatic, updatedAt, sessionId, sessionKey, archivedAt } = incoming;
  const host = hostValues(held.port, incoming);
  held.send(TAKE_TITLE, held.port.shown(title), titleIsAutomatic, updatedAt, ...host);
  const address = { sessionId: sessionKey ?? sessionId, sessionKey: null };
  const active = archivedAt === null ? await findConversation(held.port, incoming, address) : undefined;
  if (active === undefined || active.conversation_id === held.id)
    held.send(TAKE_SESSION, sessionId, sessionKey, archivedAt);
  const row = await findConversation(held.port, incoming, { id: incoming.id });
  if (row !== undefined) held.send(SEAL_NAMES, sealOfNames(held, row));
}

const DUMP = statement(
  (d) => `SELECT tenant, agent, ${columns(d)} FROM conversations WHERE (tenant, agent, uid) > ($1, $2, $3)
    ORDER BY tenant, agent, uid LIMIT $4`,
);

/** Of all tenants, in the order of a dump. */
export function dumpConversationPage(
  reader: Reader,
  after: readonly [tenant: string, agent: string, uid: string],
  limit: number,
): Promise<(ConversationRow & Scope)[]> {
  return reader.rows<ConversationRow & Scope>(DUMP, ...after, limit);
}
