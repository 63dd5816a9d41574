/**
 * Prevents other processes from compacting a conversation by an advisory lock. It belongs to a separate connection, so the
 * server frees it as soon as that connection ends, however its process ended.
 */
import type { Scope } from "../../types.ts";
import { compactionBusy } from "../store-errors.ts";
import { conversationNotFound, findConversation } from "../tables/conversations.ts";
import { type Connections, FOR_LONG_WORK } from "./connections.ts";
import { fromPostgres } from "./postgres-errors.ts";
import { Session } from "./session.ts";

/**
 * Advisory locks apply to the whole database, so the name includes the schema. No table is read: if tables are distributed, a
 * statement that reads one runs elsewhere, and the lock would not be on this connection.
 */
const TRY_LOCK = `
  SELECT pg_try_advisory_lock(hashtextextended(
    'compaction ' || json_build_array(current_schema(), $1::text, $2::bigint)::text, 0)) AS taken,
    (${FOR_LONG_WORK}) AS settings`;

export async function exclusively<Result>(
  connections: Connections,
  scope: Scope,
  conversation: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const client = await connections.connectAlone(null);
  try {
    await takeLock(new Session(client), connections.location, scope, conversation);
    return await run();
  } finally {
    // Also releases the lock. A connection that is already lost needs no end.
    await client.end();
  }
}

async function takeLock(
  session: Session,
  location: string,
  scope: Scope,
  conversation: string,
): Promise<void> {
  try {
    const row = await findConversation(session, scope, { id: conversation });
    if (row === undefined) throw conversationNotFound({ id: conversation });
    const lock = await session.one<{ taken: boolean }>(TRY_LOCK, scope.tenant, row.conversation_id);
    if (lock?.taken !== true) throw compactionBusy();
  } catch (error) {
    throw fromPostgres(error, location);
  }
}
