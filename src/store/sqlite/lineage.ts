/** Which summaries stand above and below one another. In `summary_parents` the parent is the older, finer source. */
import type { Scope } from "../../types.ts";
import type { StoredSummary, SummaryLevel, SummarySource } from "../store.ts";
import type { Database } from "./database.ts";
import { findSummaryNumber, readSummariesByNumber } from "./summaries.ts";

export function readMadeFrom(
  database: Database,
  conversationId: number,
  source: SummarySource,
): StoredSummary[] {
  const rows =
    "seq" in source
      ? database.all<{ summary_number: number }>(
          "SELECT summary_number FROM summary_messages WHERE conversation_id = ? AND seq = ? ORDER BY 1",
          conversationId,
          source.seq,
        )
      : database.all<{ summary_number: number }>(
          "SELECT summary_number FROM summary_parents WHERE conversation_id = ? AND parent_number = ? ORDER BY 1",
          conversationId,
          findSummaryNumber(database, conversationId, source.summary) ?? null,
        );
  const numbers = rows.map(({ summary_number }) => summary_number);
  return readSummariesByNumber(database, conversationId, numbers);
}

export function readLevels(database: Database, conversationId: number, id: string): SummaryLevel[] {
  return database.all<{ depth: number; summaries: number; tokens: number }>(
    `WITH RECURSIVE below (summary_number) AS (
       SELECT parent_number FROM summary_parents WHERE conversation_id = ? AND summary_number = ?
       UNION
       SELECT p.parent_number FROM below
       JOIN summary_parents p ON p.conversation_id = ? AND p.summary_number = below.summary_number)
     SELECT s.depth, count(*) AS summaries, sum(s.token_count) AS tokens FROM below
     JOIN summaries s ON s.conversation_id = ? AND s.summary_number = below.summary_number
     GROUP BY s.depth ORDER BY s.depth DESC`,
    conversationId,
    findSummaryNumber(database, conversationId, id) ?? null,
    conversationId,
    conversationId,
  );
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
