/** The nearest memories by cosine, of the requested states and scopes. */
import type { NearestQuery, NearMemory } from "../../memory-store.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import { inStates } from "../../tables/memory-states.ts";
import type { Database } from "../database.ts";
import { numberOfRowId, scopeIds, scopeOfRowId } from "../memory-rows.ts";
import { memoriesOf } from "./memory-vectors.ts";
import { currentIndex, type NearOwner, nearestOwners } from "./nearest-vectors.ts";

export function readNearest(database: Database, access: MemoryScopes, query: NearestQuery): NearMemory[] {
  return database.snapshot(() => {
    const index = currentIndex(database, memoriesOf(access), query);
    const scopes = scopeIds(database, access, query.scopes);
    const states = inStates("m", query.states ?? ["active"]);
    if (index === undefined || query.limit < 1 || scopes.length === 0) return [];
    const near = nearestOwners(database, index, {
      vector: query.vector,
      limit: query.limit,
      least: query.least ?? Number.NEGATIVE_INFINITY,
      scopes: isWholeTenant(access, query) ? null : scopes,
      wantedOf: (owners) => inWantedState(database, owners, states),
    });
    return toMemories(database, near);
  });
}

function isWholeTenant({ scopes }: MemoryScopes, query: NearestQuery): boolean {
  return scopes === null && query.scopes === undefined;
}

function inWantedState(database: Database, memories: readonly number[], states: string): ReadonlySet<number> {
  const rows = database.all<{ memory_id: number }>(
    `SELECT m.memory_id FROM json_each(?) wanted CROSS JOIN memories m ON m.memory_id = wanted.value
     WHERE ${states}`,
    JSON.stringify(memories),
  );
  return new Set(rows.map(({ memory_id }) => memory_id));
}

function toMemories(database: Database, near: readonly NearOwner[]): NearMemory[] {
  const names = scopeNames(database);
  return near
    .map(({ owner, cosine }) => ({
      ref: { scope: names(scopeOfRowId(owner)), number: numberOfRowId(owner) },
      cosine,
    }))
    .toSorted(
      (a, b) => b.cosine - a.cosine || compare(a.ref.scope, b.ref.scope) || a.ref.number - b.ref.number,
    );
}

/** Each is looked up once. */
function scopeNames(database: Database): (scopeId: number) => string {
  const known = new Map<number, string>();
  return (scopeId) => {
    const name = known.get(scopeId) ?? scopeName(database, scopeId);
    known.set(scopeId, name);
    return name;
  };
}

function scopeName(database: Database, scopeId: number): string {
  const row = database.one<{ scope: string }>("SELECT scope FROM memory_scopes WHERE scope_id = ?", scopeId);
  return row?.scope ?? "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
