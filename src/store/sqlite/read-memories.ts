/** Reading memories one by one, by their refs, by where they came from, and in versions. */
import { MEMORY_CATEGORIES, MEMORY_TIERS, type MemoryState, stateOf } from "../../memory-types.ts";
import type { MemoryCounts, MemoryEvent, MemoryRef, SeqRange, StoredMemory } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findMemory, findScopeId, scopeIds, type ThreadAccess } from "./memory-access.ts";
import { type MemoryRow, memoryRowId, SELECT_LISTED, toMemory } from "./memory-rows.ts";

export function readMemory(database: Database, access: ThreadAccess, id: string): StoredMemory | undefined {
  const found = findMemory(database, access, id);
  return found === undefined ? undefined : memoriesById(database, [found.memory_id])[0];
}

/** In the order of the row ids, without those that are not there. */
export function memoriesById(database: Database, ids: readonly number[]): StoredMemory[] {
  if (ids.length === 0) return [];
  const rows = database.all<MemoryRow>(SELECT_LISTED, JSON.stringify(ids));
  const found = new Map(rows.map((row) => [row.memory_id, toMemory(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export function readMemoriesAt(
  database: Database,
  access: ThreadAccess,
  refs: readonly MemoryRef[],
): StoredMemory[] {
  return memoriesById(
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
): StoredMemory[] {
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
  return memoriesById(
    database,
    rows.map(({ memory_id }) => memory_id),
  );
}

/** Up to what nothing has taken the place of, and from there down to all that came before. */
export function readVersions(database: Database, access: ThreadAccess, id: string): StoredMemory[] {
  if (findMemory(database, access, id) === undefined) return [];
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
  return memoriesById(
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

type CountRow = {
  scope: string;
  category: (typeof MEMORY_CATEGORIES)[number];
  tier: (typeof MEMORY_TIERS)[number];
  erasedAt: string | null;
  invalidatedAt: string | null;
  archivedAt: string | null;
  count: number;
};

export function readMemoryCounts(database: Database, access: ThreadAccess): MemoryCounts {
  const rows = database.all<CountRow>(
    `SELECT s.scope, m.category, m.tier, max(m.erased_at) AS erasedAt, max(m.invalidated_at) AS invalidatedAt,
       max(m.archived_at) AS archivedAt, count(*) AS count
     FROM memories m JOIN memory_scopes s USING (scope_id) WHERE m.scope_id IN (SELECT value FROM json_each(?))
     GROUP BY s.scope, m.category, m.tier, m.erased_at IS NULL, m.invalidated_at IS NULL, m.archived_at IS NULL`,
    JSON.stringify(scopeIds(database, access)),
  );
  const active = rows.filter((row) => stateOf(row) === "active");
  const sum = (counted: readonly CountRow[]) => counted.reduce((total, { count }) => total + count, 0);
  const by = <Key extends keyof CountRow>(key: Key, name: CountRow[Key]) =>
    sum(active.filter((row) => row[key] === name));
  const inState = (state: MemoryState) => sum(rows.filter((row) => stateOf(row) === state));
  const scopes = [...new Set(active.map(({ scope }) => scope))].toSorted();
  return {
    total: sum(rows),
    byState: {
      active: sum(active),
      superseded: inState("superseded"),
      archived: inState("archived"),
      erased: inState("erased"),
    },
    byCategory: countEach(MEMORY_CATEGORIES, (category) => by("category", category)),
    byTier: countEach(MEMORY_TIERS, (tier) => by("tier", tier)),
    byScope: scopes.map((scope) => ({ scope, active: by("scope", scope) })),
  };
}

function countEach<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>;
}
