/** Which summaries stand above and below one another. In `summary_parents` the parent is the older, finer source. */
import type { Role, Scope } from "../../types.ts";
import type {
  AboveSummary,
  Lineage,
  LineageOf,
  MessageSource,
  SummaryLevel,
  SummarySource,
} from "../lineage.ts";
import { ORDINAL_GAP } from "../store.ts";
import { aboveFromRow, type LevelColumns, levelsBelow, type OutlineColumns } from "../summary-outline.ts";
import type { Database } from "./database.ts";
import { messageRowId } from "./rows.ts";

export function readLineage(database: Database, conversationId: number, of: LineageOf): Lineage {
  return "seq" in of
    ? ofMessage(database, conversationId, of.seq)
    : ofSummary(database, conversationId, numberOf(database, conversationId, of.summary));
}

function numberOf(database: Database, conversationId: number, id: string): number | null {
  const row = database.one<{ summary_number: number }>(
    "SELECT summary_number FROM summaries WHERE summary_id = ? AND conversation_id = ?",
    id,
    conversationId,
  );
  return row?.summary_number ?? null;
}

function ofMessage(database: Database, conversationId: number, seq: number): Lineage {
  const item = database.one(
    "SELECT 1 FROM context_items WHERE conversation_id = ? AND ordinal = ? AND message_id = ?",
    conversationId,
    seq * ORDINAL_GAP,
    messageRowId(conversationId, seq),
  );
  return {
    inContext: item !== undefined,
    above: readAbove(database, FROM_MESSAGE, conversationId, seq),
    madeFrom: { messages: [], summaries: [] },
    below: [],
  };
}

function ofSummary(database: Database, conversationId: number, number: number | null): Lineage {
  return {
    inContext: standsInContext(database, conversationId, number),
    above: readAbove(database, FROM_SUMMARY, conversationId, number),
    madeFrom: {
      messages: readMessages(database, conversationId, number),
      summaries: readSummaries(database, conversationId, number),
    },
    below: readLevels(database, conversationId, number),
  };
}

function standsInContext(database: Database, conversationId: number, number: number | null): boolean {
  const item = database.one(
    `SELECT 1 FROM summaries s JOIN context_items i
       ON i.conversation_id = s.conversation_id AND i.ordinal = s.first_seq * ${ORDINAL_GAP}
     WHERE s.conversation_id = ? AND s.summary_number = ? AND i.summary_number = s.summary_number`,
    conversationId,
    number,
  );
  return item !== undefined;
}

const FROM_MESSAGE = aboveAll(
  "SELECT summary_number FROM summary_messages WHERE conversation_id = ? AND seq = ?",
);
const FROM_SUMMARY = aboveAll(
  "SELECT summary_number FROM summary_parents WHERE conversation_id = ? AND parent_number = ?",
);

/** `nearest` selects those that were made from it directly. */
function aboveAll(nearest: string): string {
  return `WITH RECURSIVE above (summary_number) AS (
      ${nearest}
      UNION
      SELECT p.summary_number FROM above
      JOIN summary_parents p ON p.conversation_id = ? AND p.parent_number = above.summary_number)
    SELECT c.uid, s.summary_number, s.summary_id, s.kind, s.depth, s.token_count, s.quality, s.model, s.first_seq,
      s.last_seq, s.earliest_at, s.latest_at, s.message_count, s.source_token_count, s.descendant_count,
      s.descendant_token_count, s.file_ids, s.fidelity, s.created_at, s.encoding = 'erased' AS is_erased,
      (SELECT json_group_array(source.summary_id ORDER BY p.ordinal) FROM summary_parents p
        JOIN summaries source ON source.conversation_id = p.conversation_id
          AND source.summary_number = p.parent_number
        WHERE p.conversation_id = s.conversation_id AND p.summary_number = s.summary_number) AS source_ids,
      EXISTS (SELECT 1 FROM context_items i WHERE i.conversation_id = s.conversation_id
        AND i.ordinal = s.first_seq * ${ORDINAL_GAP} AND i.summary_number = s.summary_number) AS in_context
    FROM above CROSS JOIN summaries s ON s.conversation_id = ? AND s.summary_number = above.summary_number
    CROSS JOIN conversations c ON c.conversation_id = s.conversation_id
    ORDER BY s.depth, s.summary_number`;
}

function readAbove(
  database: Database,
  sql: string,
  conversationId: number,
  from: number | null,
): AboveSummary[] {
  return database
    .all<OutlineColumns>(sql, conversationId, from, conversationId, conversationId)
    .map(aboveFromRow);
}

function readMessages(database: Database, conversationId: number, number: number | null): MessageSource[] {
  return database.all<{ seq: number; role: Role; tokenCount: number }>(
    `SELECT e.seq, m.role, m.token_count AS tokenCount
     FROM summary_messages e CROSS JOIN messages m ON m.message_id = ? + e.seq
     WHERE e.conversation_id = ? AND e.summary_number = ? ORDER BY e.seq`,
    messageRowId(conversationId, 0),
    conversationId,
    number,
  );
}

function readSummaries(database: Database, conversationId: number, number: number | null): SummarySource[] {
  return database.all<{
    id: string;
    firstSeq: number;
    lastSeq: number;
    tokenCount: number;
    wholeTokenCount: number;
  }>(
    `SELECT s.summary_id AS id, s.first_seq AS firstSeq, s.last_seq AS lastSeq, s.token_count AS tokenCount,
       s.token_count + s.descendant_token_count + s.source_token_count AS wholeTokenCount
     FROM summary_parents p
     CROSS JOIN summaries s ON s.conversation_id = p.conversation_id AND s.summary_number = p.parent_number
     WHERE p.conversation_id = ? AND p.summary_number = ? ORDER BY p.ordinal`,
    conversationId,
    number,
  );
}

function readLevels(database: Database, conversationId: number, number: number | null): SummaryLevel[] {
  const rows = database.all<LevelColumns>(
    `WITH RECURSIVE condensed (summary_number, depth, token_count, descendants, descendant_tokens) AS (
       SELECT summary_number, depth, token_count, descendant_count, descendant_token_count FROM summaries
       WHERE conversation_id = ? AND summary_number = ? AND depth > 0
       UNION
       SELECT s.summary_number, s.depth, s.token_count, s.descendant_count, s.descendant_token_count
       FROM condensed CROSS JOIN summary_parents p
         ON p.conversation_id = ? AND p.summary_number = condensed.summary_number
       CROSS JOIN summaries s ON s.conversation_id = p.conversation_id AND s.summary_number = p.parent_number
       WHERE condensed.depth > 1)
     SELECT depth, count(*) AS summaries, sum(token_count) AS tokens, sum(descendants) AS descendants,
       sum(descendant_tokens) AS descendant_tokens
     FROM condensed GROUP BY depth ORDER BY depth DESC`,
    conversationId,
    number,
    conversationId,
  );
  return levelsBelow(rows);
}

export function readSimilarIds(database: Database, scope: Scope, id: string): string[] {
  const rows = database.all<{ summary_id: string }>(
    `SELECT s.summary_id FROM summaries s JOIN conversations c USING (conversation_id)
     WHERE c.tenant = ? AND c.agent = ?
       AND (substr(s.summary_id, 1, 12) = substr(?, 1, 12) OR substr(s.summary_id, -8) = substr(?, -8))
     ORDER BY s.summary_id LIMIT 100`,
    scope.tenant,
    scope.agent,
    id,
    id,
  );
  return rows.map(({ summary_id }) => summary_id);
}
