/** Finds conversations by their row id, for SQLite's own reads. */
import type { Scope } from "../../types.ts";
import { conversationNotFound } from "../tables/conversations.ts";
import type { Database } from "./database.ts";

/** The row id of a conversation of this scope; 0, which is never assigned, if there is none. */
export function conversationIdOf(database: Database, { tenant, agent }: Scope, uid: string): number {
  const row = database.one<{ conversation_id: number }>(
    "SELECT conversation_id FROM conversations WHERE uid = ? AND tenant = ? AND agent = ?",
    uid,
    tenant,
    agent,
  );
  return row?.conversation_id ?? 0;
}

/** The same, with the highest assigned seq; an error if the scope has no such conversation. */
export function requireConversation(
  database: Database,
  { tenant, agent }: Scope,
  uid: string,
): { readonly conversation_id: number; readonly last_seq: number } {
  const row = database.one<{ conversation_id: number; last_seq: number }>(
    "SELECT conversation_id, last_seq FROM conversations WHERE uid = ? AND tenant = ? AND agent = ?",
    uid,
    tenant,
    agent,
  );
  if (row === undefined) throw conversationNotFound({ id: uid });
  return row;
}
