/** The one way to change the store: all writes of a commit in their order, inside one transaction. */
import type { Scope } from "../../types.ts";
import type { Address, ReindexWrite, Write, WriteResult } from "../store.ts";
import { append } from "./append.ts";
import { dropContextItems, recountContext } from "./context-items.ts";
import { requireConversation } from "./conversations.ts";
import { describeFile } from "./describe-file.ts";
import { erase } from "./erase.ts";
import { externalise, internalise } from "./externalise.ts";
import { replaceParts } from "./message-parts.ts";
import { placeMessages, placeSummaries } from "./move-messages.ts";
import { publish } from "./publish.ts";
import type { Transaction } from "./transaction.ts";
import { deleteConversation, updateConversation } from "./update-conversation.ts";
import { keepEmbedded } from "./vectors/embed-messages.ts";
import { withdrawSummaries } from "./withdraw-summaries.ts";
import { writeIndex } from "./write-index.ts";

export async function runWrites(
  transaction: Transaction,
  scope: Scope,
  writes: readonly Write[],
): Promise<WriteResult[]> {
  if (writes.length > 1) lockInOrder(transaction, scope, writes);
  const results: WriteResult[] = [];
  for (const write of writes) results.push(await runWrite(transaction, scope, write));
  return results;
}

/**
 * Two commits to the same conversations lock them in the same order, so that neither waits for the other. Rows
 * that do not exist yet cannot be locked, so the names of sessions are, first.
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

/** Undefined for a write that belongs to no one conversation. */
export function addressOf(write: Write): Address | undefined {
  if (write.kind === "index") return undefined;
  return write.kind === "append" ? write.address : { id: write.id };
}

async function runWrite(transaction: Transaction, scope: Scope, write: Write): Promise<WriteResult> {
  switch (write.kind) {
    case "append":
      return append(transaction, scope, write);
    case "publish":
      return publish(transaction, scope, write);
    case "update-conversation":
      return { kind: write.kind, conversation: await updateConversation(transaction, scope, write) };
    case "delete-conversation":
      return { kind: write.kind, ...(await deleteConversation(transaction, scope, write)) };
    case "erase":
      return { kind: write.kind, ...(await erase(transaction, scope, write)) };
    case "reindex":
      return { kind: write.kind, messages: await reindex(transaction, scope, write) };
    case "index":
      return { kind: write.kind, segment: await writeIndex(transaction, scope, write) };
    case "embed":
      return { kind: write.kind, messages: await keepEmbedded(transaction, scope, write) };
    case "externalise":
      return { kind: write.kind, messages: await externalise(transaction, scope, write) };
    case "internalise":
      return { kind: write.kind, messages: await internalise(transaction, scope, write) };
    case "describe-file":
      return { kind: write.kind, seq: await describeFile(transaction, scope, write) };
  }
}

async function reindex(transaction: Transaction, scope: Scope, write: ReindexWrite): Promise<number> {
  const { conversation_id } = await requireConversation(transaction, scope, write.id);
  replaceParts(transaction, scope, conversation_id, write.messages);
  await withdrawSummaries(transaction, scope, conversation_id, write);
  dropContextItems(transaction, scope, conversation_id, write.dropOrdinals);
  placeSummaries(transaction, scope, conversation_id, write.enterSummaries);
  placeMessages(transaction, scope, conversation_id, write.enterContext);
  recountContext(transaction, scope, conversation_id);
  return write.messages.length;
}
