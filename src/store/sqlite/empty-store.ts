import { CONVERSATION_TABLES } from "../tables/conversations.ts";
import type { Database } from "./database.ts";

/**
 * Empties every table, so that the loaded rows replace its contents. Scopes of memories stay, because they record the
 * assigned numbers: if a number were assigned to another text, a process could confuse it with the text it still holds.
 */
export function emptyStore(database: Database): void {
  const tables = [
    "memory_segments",
    "vector_progress",
    "vector_bits",
    "vectors",
    "vector_models",
    "memory_captures",
    "memory_decisions",
    "memory_events",
    "memory_uses",
    "memory_relations",
    "memory_sources",
    "memory_tags",
    "memories",
    "search_pages",
    "search_runs",
    "search_progress",
    "search_segments",
    "compaction_locks",
    ...CONVERSATION_TABLES,
    "message_parts",
    "messages",
    "large_files",
    "file_contents",
    "conversations",
    "audit_log",
    "erased_keys",
    "tenant_counts",
  ];
  for (const table of tables) database.run(`DELETE FROM ${table}`);
  database.run("UPDATE memory_scopes SET memory_count = 0");
}
