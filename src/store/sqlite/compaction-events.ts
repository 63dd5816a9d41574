import type { Database } from "./database.ts";

/** The start of the fresh tail when the newest compaction was planned. */
export function newestFreshFrom(database: Database, conversationId: number): number {
  const newest = database.one<{ fresh_from: number }>(
    "SELECT fresh_from FROM compaction_events WHERE conversation_id = ? ORDER BY event_number DESC LIMIT 1",
    conversationId,
  );
  return newest?.fresh_from ?? 0;
}
