/** Removes the words of memories for good, and of all that was made from them. What stays is the place they had. */
import type { RelationType } from "../../memory-types.ts";
import type { EraseMemoryWrite } from "../memory-store.ts";
import { type ErasedMemories, type ErasedMemory, NOTHING_ERASED } from "../rules/freed-by-erasure.ts";
import { namingErased } from "../rules/naming-erased.ts";
import { writeAudit } from "../tables/audit-log.ts";
import type { Database } from "./database.ts";
import { findMemory, type ThreadAccess } from "./memory-access.ts";
import { addEvent } from "./memory-parts.ts";
import { dropMemorySegmentsWith } from "./memory-segments.ts";
import { MADE_FROM } from "./require-untouched.ts";
import { restoreMerged } from "./restore-merged.ts";
import { portOf } from "./sqlite-port.ts";
import { dropVectors } from "./vectors.ts";

export function eraseOnRequest(
  database: Database,
  access: ThreadAccess,
  write: EraseMemoryWrite,
): ErasedMemories {
  const ids = write.ids.filter((id) => findMemory(database, access, id) !== undefined);
  const erased = eraseMemories(database, access.tenant, ids, write.at);
  writeAudit(
    portOf(database),
    { tenant: access.tenant, agent: write.agent },
    namingErased(write.audit, erased),
  );
  return erased;
}

type Doomed = {
  memory_id: number;
  uid: string;
  scope_id: number;
  number: number;
  superseded_by: string | null;
  archived_at: string | null;
};

/** Of any scope: whoever may erase a memory may not leave its words in what was made of it. */
export function eraseMemories(
  database: Database,
  tenant: string,
  ids: readonly string[],
  at: string,
): ErasedMemories {
  if (ids.length === 0) return NOTHING_ERASED;
  const doomed = database.all<Doomed>(
    `WITH RECURSIVE made (uid) AS (
       SELECT value FROM json_each(?)
       UNION SELECT m.uid FROM made
         JOIN memory_relations r ON r.target_uid = made.uid AND r.relation_type IN ${MADE_FROM}
         JOIN memories m USING (memory_id))
     SELECT m.memory_id, m.uid, m.scope_id, m.number, m.superseded_by, m.archived_at FROM made JOIN memories m USING (uid)
     JOIN memory_scopes s USING (scope_id) WHERE s.tenant = ? AND m.erased_at IS NULL ORDER BY m.memory_id`,
    JSON.stringify(ids),
    tenant,
  );
  const before = doomed.map((memory) => asErased(database, memory));
  for (const memory of doomed) leaveTombstone(database, memory, at);
  dropVectors(
    database,
    "memories",
    doomed.map(({ memory_id }) => [memory_id, memory_id] as const),
  );
  return { erased: doomed.map(({ uid }) => uid), restored: restoreMerged(database, before, at) };
}

function asErased(database: Database, { memory_id, uid, superseded_by, archived_at }: Doomed): ErasedMemory {
  const relations = database.all<{ type: RelationType; target: string }>(
    "SELECT relation_type AS type, target_uid AS target FROM memory_relations WHERE memory_id = ?",
    memory_id,
  );
  return { id: uid, supersededBy: superseded_by, isArchived: archived_at !== null, relations };
}

const TABLES_OF_A_MEMORY = ["memory_tags", "memory_sources", "memory_relations", "memory_uses"];

function leaveTombstone(database: Database, memory: Doomed, at: string): void {
  database.run(
    `UPDATE memories SET erased_at = ?, updated_at = ?, speaker = NULL, abstract = '', overview = '', content = '', gist = x'',
       support = '[]', fact_key = NULL, archived_reason = NULL WHERE memory_id = ?`,
    at,
    at,
    memory.memory_id,
  );
  for (const table of TABLES_OF_A_MEMORY)
    database.run(`DELETE FROM ${table} WHERE memory_id = ?`, memory.memory_id);
  database.run("UPDATE memory_events SET detail = '{}' WHERE memory_id = ?", memory.memory_id);
  addEvent(database, memory.memory_id, { at, action: "erased", detail: "{}" });
  database.run("DELETE FROM memory_decisions WHERE memory_uid = ?", memory.uid);
  dropMemorySegmentsWith(database, memory.scope_id, memory.number);
}
