/** How memories are identified in SQLite: by a row id that is computed from the row id of the scope and the number. */
import type { MemoryRef } from "../memory-store.ts";
import { allows, type MemoryScopes, scopesAmong } from "../rules/memory-scopes.ts";
import { shownText } from "../shown-text.ts";
import type { Database } from "./database.ts";

/** Allows 268 million memories in a scope and 33 million scopes within exact integers. */
export const MEMORIES_PER_SCOPE = 2 ** 28;

function memoryRowId(scopeId: number, number: number): number {
  return scopeId * MEMORIES_PER_SCOPE + number;
}

export function scopeOfRowId(memoryId: number): number {
  return Math.floor(memoryId / MEMORIES_PER_SCOPE);
}

export function numberOfRowId(memoryId: number): number {
  return memoryId % MEMORIES_PER_SCOPE;
}

export function findScopeId(database: Database, tenant: string, scope: string): number | undefined {
  const row = database.one<{ scope_id: number }>(
    "SELECT scope_id FROM memory_scopes WHERE tenant = ? AND scope = ?",
    tenant,
    scope,
  );
  return row?.scope_id;
}

/** Ids of those of the holder's scopes that exist; with `only`, of those among them. */
export function scopeIds(database: Database, access: MemoryScopes, only?: readonly string[]): number[] {
  const wanted = scopesAmong(access, only);
  const rows = database.all<{ scope_id: number }>(
    `SELECT scope_id FROM memory_scopes WHERE tenant = ?1
       AND (?2 IS NULL OR scope IN (SELECT value FROM json_each(?2))) ORDER BY scope_id`,
    access.tenant,
    wanted === null ? null : JSON.stringify(wanted),
  );
  return rows.map(({ scope_id }) => scope_id);
}

/** Undefined if the holder has no such scope. */
export function rowIdsOf(
  database: Database,
  access: MemoryScopes,
  refs: readonly MemoryRef[],
): (number | undefined)[] {
  const known = new Map<string, number | undefined>();
  return refs.map(({ scope, number }) => {
    if (!known.has(scope))
      known.set(scope, allows(access, scope) ? findScopeId(database, access.tenant, scope) : undefined);
    const scopeId = known.get(scope);
    return scopeId === undefined ? undefined : memoryRowId(scopeId, number);
  });
}

export function addTags(database: Database, memoryId: number, tags: unknown): void {
  if (!Array.isArray(tags)) return;
  tags.forEach((tag, ordinal) => {
    database.run("INSERT INTO memory_tags VALUES (?, ?, ?)", memoryId, ordinal, shownText(String(tag)));
  });
}
