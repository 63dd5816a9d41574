/** What is left of summaries that are not on record: links to what they were made from, and events. */
import type { Scope } from "../../types.ts";
import { CONVERSATION_ID } from "./conversations.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/** Rows of a table that name a summary which conversation ($1, `id`) does not have. */
function missing(id: string): string {
  return `l WHERE l.tenant = $1 AND l.conversation_id = ${id} AND NOT EXISTS (
    SELECT FROM summaries s
    WHERE s.tenant = $1 AND s.conversation_id = l.conversation_id AND s.summary_number = l.summary_number)`;
}

export async function countMissingSummaries(
  session: Session,
  scope: Scope,
  conversation: string,
): Promise<number> {
  const found = await session.one<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT summary_number FROM summary_messages ${missing(CONVERSATION_ID)}
       UNION SELECT summary_number FROM summary_parents ${missing(CONVERSATION_ID)}) lost`,
    scope.tenant,
    scope.agent,
    conversation,
  );
  return found?.count ?? 0;
}

export function forgetMissingSummaries(transaction: Transaction, scope: Scope, conversationId: number): void {
  for (const table of ["summary_messages", "summary_parents", "compaction_events"])
    transaction.send(`DELETE FROM ${table} ${missing("$2")}`, scope.tenant, conversationId);
}
