/** Segments go whole; the conversations they held documents of know that these are not indexed any more. */
import type { DocumentKind } from "../search-store.ts";
import type { Database } from "./database.ts";

/** Removes every segment that holds one of these documents. */
export function dropSegmentsWith(
  database: Database,
  conversationId: number,
  kind: DocumentKind,
  numbers: readonly number[],
): void {
  const segments = database.all<{ segment_id: number }>(
    `SELECT DISTINCT r.segment_id FROM json_each(?) wanted
     CROSS JOIN search_runs r ON r.conversation_id = ? AND r.kind = ? AND r.first <= wanted.value
       AND r.last >= wanted.value`,
    JSON.stringify(numbers),
    conversationId,
    kind,
  );
  for (const { segment_id } of segments) removeSegment(database, segment_id);
}

export function dropSegmentsOf(database: Database, conversationId: number): void {
  const segments = database.all<{ segment_id: number }>(
    "SELECT DISTINCT segment_id FROM search_runs WHERE conversation_id = ?",
    conversationId,
  );
  for (const { segment_id } of segments) removeSegment(database, segment_id);
  database.run("DELETE FROM search_progress WHERE conversation_id = ?", conversationId);
}

export function removeSegment(database: Database, segment: number): void {
  const conversations = database.all<{ conversation_id: number }>(
    "SELECT DISTINCT conversation_id FROM search_runs WHERE segment_id = ?",
    segment,
  );
  database.run("DELETE FROM search_pages WHERE segment_id = ?", segment);
  database.run("DELETE FROM search_runs WHERE segment_id = ?", segment);
  database.run("DELETE FROM search_segments WHERE segment_id = ?", segment);
  for (const { conversation_id } of conversations) advance(database, conversation_id);
}

/** Moves the marks behind all runs that follow them without a gap. */
export function advance(database: Database, conversationId: number): void {
  const [seq, summary] = (["message", "summary"] as const).map((kind) =>
    coveredTo(database, conversationId, kind),
  );
  database.run(
    "INSERT OR REPLACE INTO search_progress VALUES (?, ?, ?)",
    conversationId,
    seq ?? 0,
    summary ?? 0,
  );
}

/** Where the first gap begins, less one. A run counts when another one, or nothing at all, ends right before it. */
function coveredTo(database: Database, conversationId: number, kind: DocumentKind): number {
  const row = database.one<{ covered: number | null }>(
    `SELECT min(last) AS covered FROM search_runs r WHERE conversation_id = ?1 AND kind = ?2
       AND NOT EXISTS (SELECT 1 FROM search_runs n
         WHERE n.conversation_id = ?1 AND n.kind = ?2 AND n.first = r.last + 1)
       AND EXISTS (SELECT 1 FROM search_runs n WHERE n.conversation_id = ?1 AND n.kind = ?2 AND n.first = 1)`,
    conversationId,
    kind,
  );
  return row?.covered ?? 0;
}
