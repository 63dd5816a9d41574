/** The only way to change the store: all writes of a commit in order, inside one transaction. */
import type { Scope } from "../../types.ts";
import type { Write, WriteResult } from "../store.ts";
import { addressOf, runWrite } from "../writes/run-write.ts";
import type { Transaction } from "./transaction.ts";
import { keepEmbedded } from "./vectors/embed-messages.ts";

export async function runWrites(
  transaction: Transaction,
  scope: Scope,
  writes: readonly Write[],
): Promise<WriteResult[]> {
  if (writes.length > 1) lockInOrder(transaction, scope, writes);
  const results: WriteResult[] = [];
  for (const write of writes) results.push(await runOne(transaction, scope, write));
  return results;
}

/**
 * Two commits to the same conversations lock them in the same order, which prevents deadlocks. Rows that do not exist yet
 * cannot be locked, so the names of sessions are locked first.
 */
function lockInOrder(transaction: Transaction, scope: Scope, writes: readonly Write[]): void {
  const addresses = writes.map(addressOf).filter((address) => address !== undefined);
  const ids = addresses.flatMap((address) => ("id" in address ? [address.id] : []));
  const sessions = addresses.flatMap((address) =>
    "id" in address ? [] : [address.sessionId, address.sessionKey ?? address.sessionId],
  );
  const names = new Set(sessions.map((session) => JSON.stringify([scope.tenant, scope.agent, session])));
  transaction.send(
    "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name",
    [...names].sort(),
  );
  transaction.send(
    `SELECT FROM conversations WHERE tenant = $1 AND agent = $2 AND (uid = ANY($3::text[])
       OR (archived_at IS NULL AND coalesce(session_key, session_id) = ANY($4::text[])))
     ORDER BY conversation_id FOR UPDATE`,
    scope.tenant,
    scope.agent,
    ids,
    sessions,
  );
}

async function runOne(transaction: Transaction, scope: Scope, write: Write): Promise<WriteResult> {
  if (write.kind === "embed")
    return { kind: write.kind, messages: await keepEmbedded(transaction, scope, write) };
  return runWrite(transaction, scope, write);
}
