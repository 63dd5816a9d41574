/**
 * Takes summaries back that are not what was written, and whatever was made from them: their words may have gone into
 * it, and its root covers theirs. A repair puts what they cover back into the context.
 */
import type { ReindexWrite } from "../store.ts";
import { blankSummaries } from "./blank-summaries.ts";
import type { Database } from "./database.ts";
import { dropSegmentsWith } from "./drop-segments.ts";
import { forgetMissingSummaries } from "./missing-summaries.ts";

type Withdrawn = Pick<ReindexWrite, "eraseSummaries" | "dropSummaries" | "forgetMissing">;

export function withdrawSummaries(database: Database, conversationId: number, write: Withdrawn): void {
  blankSummaries(database, conversationId, withThoseAbove(database, conversationId, write.eraseSummaries));
  dropSummaries(database, conversationId, withThoseAbove(database, conversationId, write.dropSummaries));
  if (write.forgetMissing) forgetMissingSummaries(database, conversationId);
}

/** The numbers of these summaries, and of all that were made from them, at any depth. */
function withThoseAbove(database: Database, conversationId: number, ids: readonly string[]): number[] {
  if (ids.length === 0) return [];
  const rows = database.all<{ summary_number: number }>(
    `WITH RECURSIVE above (summary_number) AS (
       SELECT s.summary_number FROM json_each(?2) wanted
         CROSS JOIN summaries s ON s.summary_id = wanted.value AND s.conversation_id = ?1
       UNION
       SELECT p.summary_number FROM above
         CROSS JOIN summary_parents p ON p.conversation_id = ?1 AND p.parent_number = above.summary_number)
     SELECT summary_number FROM above`,
    conversationId,
    JSON.stringify(ids),
  );
  return rows.map(({ summary_number }) => summary_number);
}

/** Links and events point to summaries, so they go first. */
function dropSummaries(database: Database, conversationId: number, numbers: readonly number[]): void {
  if (numbers.length === 0) return;
  dropSegmentsWith(database, conversationId, "summary", numbers);
  for (const table of ["summary_messages", "summary_parents", "compaction_events", "summaries"])
    database.run(
      `DELETE FROM ${table} WHERE conversation_id = ? AND summary_number IN (SELECT value FROM json_each(?))`,
      conversationId,
      JSON.stringify(numbers),
    );
}
