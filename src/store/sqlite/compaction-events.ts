import type { CompactionEvent, Page, RangeQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { DEFAULT_LIMIT, END, pageOf } from "./rows.ts";

/** One event for each summary: what is known of it already stays. */
export function insertEvent(
  database: Database,
  conversationId: number,
  summaryNumber: number,
  event: CompactionEvent,
): void {
  database.run(
    `INSERT INTO compaction_events (conversation_id, event_number, summary_number, at, trigger_reason, token_before,
       token_after, milliseconds, fresh_from)
     SELECT ?, coalesce(max(event_number), 0) + 1, ?, ?, ?, ?, ?, ?, ? FROM compaction_events WHERE conversation_id = ?
     ON CONFLICT DO NOTHING`,
    conversationId,
    summaryNumber,
    event.at,
    event.trigger,
    event.tokensBefore,
    event.tokensAfter,
    event.milliseconds,
    event.freshFrom,
    conversationId,
  );
}

type EventRow = { number: number; summary: string | null } & Omit<CompactionEvent, "summary">;

export function readEvents(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): Page<CompactionEvent> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<EventRow>(
    `SELECT e.event_number AS number, e.at, s.summary_id AS summary, e.trigger_reason AS "trigger",
       e.token_before AS tokensBefore, e.token_after AS tokensAfter, e.milliseconds,
       e.fresh_from AS freshFrom
     FROM compaction_events e
     LEFT JOIN summaries s ON s.conversation_id = e.conversation_id AND s.summary_number = e.summary_number
     WHERE e.conversation_id = ? AND e.event_number BETWEEN ? AND ? ORDER BY e.event_number LIMIT ?`,
    conversationId,
    query.from ?? 0,
    query.to ?? END,
    limit + 1,
  );
  const page = pageOf(rows, limit, (row) => row.number);
  return {
    rows: page.rows.map(({ number: _, summary, ...event }) => ({ ...event, summary: summary ?? "" })),
    next: page.next,
  };
}

/** Where the fresh tail began when the newest compaction was planned. */
export function newestFreshFrom(database: Database, conversationId: number): number {
  const newest = database.one<{ fresh_from: number }>(
    "SELECT fresh_from FROM compaction_events WHERE conversation_id = ? ORDER BY event_number DESC LIMIT 1",
    conversationId,
  );
  return newest?.fresh_from ?? 0;
}
