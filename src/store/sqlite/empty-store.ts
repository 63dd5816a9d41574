import { CONVERSATION_TABLES } from "../tables/conversations.ts";
import type { Database } from "./database.ts";

/**
 * Empties every table, so that what follows replaces it. Scopes of memories stay, because they know which numbers were given
 * out: a number that means other words than before would be taken for what somebody still holds under it.
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
