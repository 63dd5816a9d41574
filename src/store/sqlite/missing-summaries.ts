/** What is left of summaries that are not on record: links to what they were made from, and events. */
import type { Database } from "./database.ts";

const IS_MISSING = `conversation_id = ?1
  AND summary_number NOT IN (SELECT summary_number FROM summaries WHERE conversation_id = ?1)`;

export function countMissingSummaries(database: Database, conversationId: number): number {
  const found = database.one<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT summary_number FROM summary_messages WHERE ${IS_MISSING}
       UNION SELECT summary_number FROM summary_parents WHERE ${IS_MISSING})`,
    conversationId,
  );
  return found?.count ?? 0;
}

export function forgetMissingSummaries(database: Database, conversationId: number): void {
  for (const table of ["summary_messages", "summary_parents", "compaction_events"])
    database.run(`DELETE FROM ${table} WHERE ${IS_MISSING}`, conversationId);
}
