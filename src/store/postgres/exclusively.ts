/**
 * Keeps others from compacting a conversation by an advisory lock. It belongs to a connection of its own, so the
 * server frees it as soon as that connection ends, however its process came to an end.
 */
import type { Scope } from "../../types.ts";
import { compactionBusy } from "../compaction-busy.ts";
import { conversationNotFound } from "../tables/conversations.ts";
import type { Connections } from "./connections.ts";
import { fromPostgres } from "./postgres-errors.ts";
import { Session } from "./session.ts";

/** Locks are the database's, so the name says which schema is meant. */
const TRY_LOCK = `
  SELECT pg_try_advisory_lock(hashtextextended(
    'compaction ' || json_build_array(current_schema(), tenant, conversation_id)::text, 0)) AS taken
  FROM conversations WHERE tenant = $1 AND agent = $2 AND uid = $3`;

/** The connection says nothing while the work goes on. The setting is not known to every server. */
const STAY_CONNECTED =
  "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'";

export async function exclusively<Result>(
  connections: Connections,
  scope: Scope,
  conversation: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const client = await connections.connectAlone();
  try {
    await takeLock(new Session(client), connections.location, scope, conversation);
    return await run();
  } finally {
    // Ends the lock too. A connection that is lost already has nothing left to end.
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
    const [, lock] = await Promise.all([
      session.script(STAY_CONNECTED),
      session.one<{ taken: boolean }>(TRY_LOCK, scope.tenant, scope.agent, conversation),
    ]);
    if (lock === undefined) throw conversationNotFound({ id: conversation });
    if (!lock.taken) throw compactionBusy();
  } catch (error) {
    throw fromPostgres(error, location);
  }
}
