import type { Database } from "./database.ts";
import { dropSegmentsWith } from "./drop-segments.ts";

/**
 * Takes the text of summaries, and what would let it be guessed or found. What they were made from stays on record, so
 * that their roots still verify. Answers with how many had something to lose.
 */
export function blankSummaries(
  database: Database,
  conversationId: number,
  numbers: readonly number[],
): number {
  dropSegmentsWith(database, conversationId, "summary", numbers);
  return database.run(
    `UPDATE summaries SET encoding = 'erased', content = NULL, content_hash = NULL, file_ids = '[]'
     WHERE conversation_id = ? AND summary_number IN (SELECT value FROM json_each(?))
       AND (encoding <> 'erased' OR content IS NOT NULL OR content_hash IS NOT NULL)`,
    conversationId,
    JSON.stringify(numbers),
  );
}
