/** Reading memories one by one, by their refs, by where they came from, and in versions. */
import type { MemoryEvent, MemoryRef, SeqRange, StoredMemory } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findMemory, findScopeId, scopeIds, type ThreadAccess } from "./memory-access.ts";
import { memoryRowId, SELECT_LISTED } from "./memory-rows.ts";

/** Memories as one JSON text, which changes threads faster than as objects. */
export type MemoriesText = string;

export function readMemory(database: Database, access: ThreadAccess, id: string): StoredMemory | undefined {
  const found = findMemory(database, access, id);
  return found === undefined ? undefined : memoriesOfRows(database, [found.memory_id])[0];
}

export function readMemoriesById(
  database: Database,
  access: ThreadAccess,
  ids: readonly string[],
): MemoriesText {
  return memoriesText(
    database,
    ids.flatMap((id) => findMemory(database, access, id)?.memory_id ?? []),
  );
}

export function memoriesOfRows(database: Database, ids: readonly number[]): StoredMemory[] {
  return JSON.parse(memoriesText(database, ids));
}

/** In the order of the row ids, without those that are not there. */
export function memoriesText(database: Database, ids: readonly number[]): MemoriesText {
  if (ids.length === 0) return "[]";
  return database.one<{ memories: string }>(SELECT_LISTED, JSON.stringify(ids))?.memories ?? "[]";
}

export function readMemoriesAt(
  database: Database,
  access: ThreadAccess,
  refs: readonly MemoryRef[],
): MemoriesText {
  return memoriesText(
    database,
    rowIdsOf(database, access, refs).filter((id) => id !== undefined),
  );
}

/** Undefined where the holder has no such scope. */
export function rowIdsOf(
  database: Database,
  access: ThreadAccess,
  refs: readonly MemoryRef[],
): (number | undefined)[] {
  const known = new Map<string, number | undefined>();
  return refs.map(({ scope, number }) => {
    if (!known.has(scope)) known.set(scope, findScopeId(database, access, scope));
    const scopeId = known.get(scope);
    return scopeId === undefined ? undefined : memoryRowId(scopeId, number);
  });
}

export function readMemoriesFrom(
  database: Database,
  access: ThreadAccess,
  conversation: string,
  { from, to }: SeqRange,
): MemoriesText {
  const rows = database.all<{ memory_id: number }>(
    `SELECT o.memory_id FROM memory_sources o JOIN memories m USING (memory_id)
     WHERE o.conversation_uid = ? AND o.first_seq <= ? AND o.last_seq >= ?
       AND m.scope_id IN (SELECT value FROM json_each(?))
     GROUP BY o.memory_id ORDER BY min(o.first_seq), o.memory_id`,
    conversation,
    to,
    from,
    JSON.stringify(scopeIds(database, access)),
  );
  return memoriesText(
    database,
    rows.map(({ memory_id }) => memory_id),
  );
}

/** Up to what nothing has taken the place of, and from there down to all that came before. */
export function readVersions(database: Database, access: ThreadAccess, id: string): MemoriesText {
  if (findMemory(database, access, id) === undefined) return "[]";
  const rows = database.all<{ memory_id: number }>(
    `WITH RECURSIVE above (uid, superseded_by) AS (
       SELECT uid, superseded_by FROM memories WHERE uid = ?
       UNION SELECT m.uid, m.superseded_by FROM above JOIN memories m ON m.uid = above.superseded_by),
     versions (uid) AS (
       SELECT uid FROM above
       UNION SELECT m.uid FROM versions JOIN memories m ON m.superseded_by = versions.uid)
     SELECT m.memory_id FROM versions JOIN memories m USING (uid) ORDER BY m.created_at, m.memory_id`,
    id,
  );
  return memoriesText(
    database,
    rows.map(({ memory_id }) => memory_id),
  );
}

export function readSimilarMemoryIds(database: Database, access: ThreadAccess, id: string): string[] {
  const rows = database.all<{ uid: string }>(
    `SELECT uid FROM memories WHERE scope_id IN (SELECT value FROM json_each(?1))
       AND (substr(uid, 1, 12) = substr(?2, 1, 12) OR substr(uid, -8) = substr(?2, -8)
         OR substr(uid, 1, length(?2)) = ?2)
     ORDER BY uid LIMIT 100`,
    JSON.stringify(scopeIds(database, access)),
    id,
  );
  return rows.map(({ uid }) => uid);
}

export function readMemoryEvents(database: Database, access: ThreadAccess, id: string): MemoryEvent[] {
  const found = findMemory(database, access, id);
  return found === undefined ? [] : eventsOf(database, found.memory_id);
}

type EventRow = { at: string; action: MemoryEvent["action"]; detail: string };

export function eventsOf(database: Database, memoryId: number): MemoryEvent[] {
  return database
    .all<EventRow>(
      "SELECT at, action, detail FROM memory_events WHERE memory_id = ? ORDER BY event_number",
      memoryId,
    )
    .map(({ at, action, detail }) => ({ at, action, detail }));
}
