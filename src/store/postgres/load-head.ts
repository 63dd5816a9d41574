/** The row of a conversation that a dump brings in. */
import { PalimpsestError } from "../../errors.ts";
import { recountContext } from "./context-items.ts";
import { findConversation } from "./conversations.ts";
import type { IncomingConversation } from "./load-conversation.ts";
import { bytes, withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** Refuses an id that another agent has, and a session that is active here in another conversation. */
export async function refuseTaken(transaction: Transaction, incoming: IncomingConversation): Promise<void> {
  const elsewhere = await transaction.one<{ uid: string }>(
    "SELECT uid FROM conversations WHERE tenant = $1 AND uid = $2",
    incoming.tenant,
    incoming.id,
  );
  if (elsewhere !== undefined) throw conflict(`${incoming.id} is on record for another agent`);
  if (incoming.archivedAt !== null) return;
  const session = incoming.sessionKey ?? incoming.sessionId;
  const active = await findConversation(transaction, incoming, { sessionId: session, sessionKey: null });
  if (active !== undefined)
    throw conflict(
      `session ${session} of ${incoming.id} is active here as ${active.uid}`,
      `Archive that one first: lcm conversations archive ${active.uid}`,
    );
}

/** Inserts the conversation exactly as it came and gives its row id. */
export async function insertIncoming(
  transaction: Transaction,
  incoming: IncomingConversation,
): Promise<number> {
  const rows = await transaction.rows<{ conversation_id: number }>(
    `INSERT INTO conversations (tenant, agent, uid, session_id, session_key, title, title_is_automatic, created_at,
       updated_at, archived_at, last_seq, token_count, head_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING conversation_id`,
    incoming.tenant,
    incoming.agent,
    incoming.id,
    incoming.sessionId,
    incoming.sessionKey,
    withoutNul(incoming.title),
    incoming.titleIsAutomatic,
    incoming.createdAt,
    incoming.updatedAt,
    incoming.archivedAt,
    incoming.messageCount,
    incoming.tokenCount,
    bytes(incoming.headHash),
  );
  const [row] = rows;
  if (row === undefined) throw new PalimpsestError("internal", `${incoming.id} was not inserted`);
  return row.conversation_id;
}

/** Moves the end of a known conversation to the end of the longer one that came in. */
export function moveHead(
  transaction: Transaction,
  incoming: IncomingConversation,
  conversationId: number,
): void {
  transaction.send(
    `UPDATE conversations SET last_seq = $3, head_hash = $4, token_count =
       (SELECT sum(token_count) FROM messages WHERE tenant = $1 AND conversation_id = $2)
     WHERE tenant = $1 AND conversation_id = $2`,
    incoming.tenant,
    conversationId,
    incoming.messageCount,
    bytes(incoming.headHash),
  );
}

/** Counts the context anew, once everything has come in. */
export function recount(
  transaction: Transaction,
  incoming: IncomingConversation,
  conversationId: number,
  lastSummary: number,
): void {
  transaction.send(
    "UPDATE conversations SET last_summary = $3 WHERE tenant = $1 AND conversation_id = $2",
    incoming.tenant,
    conversationId,
    lastSummary,
  );
  recountContext(transaction, incoming, conversationId);
}

function conflict(message: string, advice = "Nothing was written."): PalimpsestError {
  return new PalimpsestError("conflict", message, { advice });
}

export function corruptDump(message: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("store-corrupt", message, {
    advice: "The export was changed or cut. Make it again; nothing was written.",
    cause,
  });
}
