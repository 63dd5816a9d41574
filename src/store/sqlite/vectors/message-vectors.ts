/** Embeddings of messages: stores them conversation by conversation, and finds the nearest. */
import { PalimpsestError } from "../../../errors.ts";
import type { Scope } from "../../../types.ts";
import type {
  MessageRun,
  MessageVectorCount,
  NearestMessagesQuery,
  NearMessage,
  UnembeddedQuery,
} from "../../message-vectors.ts";
import type { DocumentRef } from "../../search-store.ts";
import { requireConversation } from "../conversations.ts";
import type { Database } from "../database.ts";
import { conversationIds } from "../document-texts.ts";
import { type PackedEmbed, unpackPassages } from "../packed-commit.ts";
import { conversationOfRowId, messageRowId, rowIdRange, seqOfRowId } from "../rows.ts";
import { currentIndex, nearestOwners } from "./nearest-vectors.ts";
import {
  dropVectors,
  findModel,
  keepVectors,
  type PackedVectorPage,
  readVectorsOf,
  requireModel,
  type VectorOwners,
} from "./vectors.ts";

function messagesOf({ tenant }: Scope): VectorOwners {
  return { tenant, owners: "messages" };
}

/** Returns how many messages have vectors now. */
export function keepEmbedded(database: Database, scope: Scope, write: PackedEmbed): number {
  const { conversation_id, last_seq } = requireConversation(database, scope, write.id);
  const known = findModel(database, messagesOf(scope), write.model);
  const next = embeddedTo(database, conversation_id, known?.model_id) + 1;
  if (write.first !== next || write.last > last_seq || write.last < write.first) throw overtaken();
  const present = write.messages.filter(({ seq }) => hasWords(database, messageRowId(conversation_id, seq)));
  for (const { seq, vectors } of present)
    keepVectors(
      database,
      requireModel(database, messagesOf(scope), vectors),
      messageRowId(conversation_id, seq),
      unpackPassages(vectors, write.floats),
    );
  moveMark(database, scope, conversation_id, write);
  return present.length;
}

function hasWords(database: Database, messageId: number): boolean {
  const found = database.one("SELECT 1 FROM messages WHERE message_id = ? AND erased_at IS NULL", messageId);
  return found !== undefined;
}

function embeddedTo(database: Database, conversationId: number, modelId: number | undefined): number {
  const row = database.one<{ embedded_seq: number }>(
    "SELECT embedded_seq FROM vector_progress WHERE conversation_id = ? AND model_id = ?",
    conversationId,
    modelId ?? 0,
  );
  return row?.embedded_seq ?? 0;
}

/** Also if no message had words: the length of the model's vectors is unknown then, and is taken from the next one. */
function moveMark(
  database: Database,
  scope: Scope,
  conversationId: number,
  { model, last }: PackedEmbed,
): void {
  const { model_id } =
    findModel(database, messagesOf(scope), model) ??
    requireModel(database, messagesOf(scope), { model, dimensions: 0 });
  database.run(
    "INSERT OR REPLACE INTO vector_progress (conversation_id, model_id, embedded_seq) VALUES (?, ?, ?)",
    conversationId,
    model_id,
    last,
  );
}

function overtaken(): PalimpsestError {
  return new PalimpsestError("busy", "another process has already created these embeddings", {
    advice: "Try again; nothing was written.",
  });
}

export function dropMessageVectors(
  database: Database,
  conversationId: number,
  seqs: readonly number[],
): void {
  const ids = seqs.map((seq) => messageRowId(conversationId, seq));
  dropVectors(
    database,
    "messages",
    ids.map((id) => [id, id] as const),
  );
}

/** For a deleted conversation. */
export function dropVectorsOf(database: Database, conversationId: number): void {
  dropVectors(database, "messages", [rowIdRange(conversationId)]);
  database.run("DELETE FROM vector_progress WHERE conversation_id = ?", conversationId);
}

export function readNearestMessages(
  database: Database,
  scope: Scope,
  query: NearestMessagesQuery,
): NearMessage[] {
  return database.snapshot(() => {
    const index = currentIndex(database, messagesOf(scope), query);
    const conversations = conversationsIn(database, scope, query.conversations);
    if (index === undefined || query.limit < 1 || conversations.size === 0) return [];
    const scopes = [...conversations.keys()].sort((a, b) => a - b);
    const { vector, limit } = query;
    return nearestOwners(database, index, { vector, limit, least: Number.NEGATIVE_INFINITY, scopes })
      .map(({ owner, cosine }) => ({ ref: refOf(owner, conversations), cosine }))
      .toSorted(byNearness);
  });
}

/** Public ids by row ids. */
function conversationsIn(
  database: Database,
  { tenant, agent }: Scope,
  only: readonly string[] | undefined,
): ReadonlyMap<number, string> {
  const rows = database.all<{ conversation_id: number; uid: string }>(
    `SELECT conversation_id, uid FROM conversations WHERE tenant = ?1 AND agent = ?2
       AND (?3 IS NULL OR uid IN (SELECT value FROM json_each(?3)))`,
    tenant,
    agent,
    only === undefined ? null : JSON.stringify(only),
  );
  return new Map(rows.map(({ conversation_id, uid }) => [conversation_id, uid]));
}

function refOf(messageId: number, conversations: ReadonlyMap<number, string>): DocumentRef {
  const conversation = conversations.get(conversationOfRowId(messageId)) ?? "";
  return { conversation, kind: "message", number: seqOfRowId(messageId) };
}

function byNearness(a: NearMessage, b: NearMessage): number {
  if (a.cosine !== b.cosine) return b.cosine - a.cosine;
  if (a.ref.conversation !== b.ref.conversation) return a.ref.conversation < b.ref.conversation ? -1 : 1;
  return a.ref.number - b.ref.number;
}

export function readMessageVectors(
  database: Database,
  scope: Scope,
  model: string,
  refs: readonly DocumentRef[],
): PackedVectorPage {
  const idOf = conversationIds(database, scope);
  const ids = refs.map(({ conversation, kind, number }) => {
    const id = kind === "message" ? idOf(conversation) : undefined;
    return id === undefined ? undefined : messageRowId(id, number);
  });
  return readVectorsOf(database, messagesOf(scope), model, ids);
}

export function readUnembedded(
  database: Database,
  scope: Scope,
  model: string,
  { conversations, limit }: UnembeddedQuery = {},
): MessageRun[] {
  return database.all<{ conversation: string; first: number; last: number }>(
    `SELECT c.uid AS conversation, coalesce(p.embedded_seq, 0) + 1 AS first, c.last_seq AS last
     FROM conversations c LEFT JOIN vector_progress p ON p.conversation_id = c.conversation_id AND p.model_id = ?1
     WHERE c.tenant = ?2 AND c.agent = ?3 AND c.last_seq > coalesce(p.embedded_seq, 0)
       AND (?4 IS NULL OR c.uid IN (SELECT value FROM json_each(?4)))
     ORDER BY c.conversation_id LIMIT ?5`,
    findModel(database, messagesOf(scope), model)?.model_id ?? 0,
    scope.tenant,
    scope.agent,
    conversations === undefined ? null : JSON.stringify(conversations),
    limit ?? -1,
  );
}

export function readMessageVectorCounts(database: Database, scope: Scope): MessageVectorCount[] {
  return database.all<MessageVectorCount & Record<string, string | number>>(
    `SELECT o.model, o.dimensions, count(DISTINCT v.owner_id) AS messages, count(*) AS vectors
     FROM vector_models o JOIN vectors v USING (model_id) JOIN messages m ON m.message_id = v.owner_id
     JOIN conversations c USING (conversation_id)
     WHERE o.tenant = ?1 AND o.owners = 'messages' AND c.agent = ?2 GROUP BY o.model_id ORDER BY o.model`,
    scope.tenant,
    scope.agent,
  );
}
