/** Brings back in force what was merged into a text that is erased now. */
import { type ErasedMemory, freedByErasure } from "../rules/freed-by-erasure.ts";
import type { Database } from "./database.ts";
import { addEvent } from "./memory-parts.ts";
import { IN_FORCE } from "./memory-rows.ts";

type Freed = { memory_id: number; uid: string; scope_id: number; fact_key: string | null };

/** Gives the ids of those that are in force again. */
export function restoreMerged(database: Database, erased: readonly ErasedMemory[], at: string): string[] {
  const freed = freedByErasure(erased);
  if (freed.length === 0) return [];
  // The newest first: of two values of one key it is the one that holds.
  const rows = database.all<Freed>(
    `SELECT m.memory_id, m.uid, m.scope_id, m.fact_key FROM json_each(?) freed
     JOIN memories m ON m.uid = freed.value ->> 'id' AND m.superseded_by = freed.value ->> 'by'
     WHERE m.erased_at IS NULL AND m.archived_at IS NULL ORDER BY m.created_at DESC, m.memory_id DESC`,
    JSON.stringify(freed),
  );
  return rows.filter((row) => restore(database, row, at)).map(({ uid }) => uid);
}

/** False where something else is in force under its key. */
function restore(database: Database, { memory_id, scope_id, fact_key }: Freed, at: string): boolean {
  const isRestored = database.run(
    `UPDATE memories SET invalidated_at = NULL, superseded_by = NULL, updated_at = ?1 WHERE memory_id = ?2
       AND (?3 IS NULL OR NOT EXISTS (SELECT 1 FROM memories WHERE scope_id = ?4 AND fact_key = ?3 AND ${IN_FORCE}))`,
    at,
    memory_id,
    fact_key,
    scope_id,
  );
  if (isRestored === 0) return false;
  const detail = JSON.stringify({ reason: "what it was merged into was erased" });
  addEvent(database, memory_id, { at, action: "restored", detail });
  return true;
}
