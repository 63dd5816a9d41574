/**
 * How many memories there are of which kind. Goes along the rows of each scope, as they lie, and sorts them by as little
 * as possible: states are counted and not grouped by.
 */
import { MEMORY_CATEGORIES, MEMORY_TIERS, type MemoryState } from "../../memory-types.ts";
import type { MemoryCounts } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { inStates } from "./list-memories.ts";
import { scopeIds, type ThreadAccess } from "./memory-access.ts";
import { memoryRowId } from "./memory-rows.ts";

type CountRow = Record<MemoryState, number> & { scope: string; category: string; tier: string };

const STATES = ["active", "superseded", "archived", "erased"] as const satisfies readonly MemoryState[];

const COUNT_SCOPE = `
  SELECT (SELECT scope FROM memory_scopes WHERE scope_id = ?1) AS scope, category, tier,
    ${STATES.map((state) => `count(*) FILTER (WHERE ${inStates([state])}) AS ${state}`).join(", ")}
  FROM memories WHERE memory_id >= ?2 AND memory_id < ?3 GROUP BY category, tier`;

export function countMemories(database: Database, access: ThreadAccess): MemoryCounts {
  const rows = scopeIds(database, access).flatMap((id) =>
    database.all<CountRow>(COUNT_SCOPE, id, memoryRowId(id, 0), memoryRowId(id + 1, 0)),
  );
  const activeBy = (field: "scope" | "category" | "tier", name: string) =>
    sumOf(
      rows.filter((row) => row[field] === name),
      "active",
    );
  const byState = countEach(STATES, (state) => sumOf(rows, state));
  const scopes = [...new Set(rows.map(({ scope }) => scope))].toSorted();
  return {
    total: STATES.reduce((sum, state) => sum + byState[state], 0),
    byState,
    byCategory: countEach(MEMORY_CATEGORIES, (category) => activeBy("category", category)),
    byTier: countEach(MEMORY_TIERS, (tier) => activeBy("tier", tier)),
    byScope: scopes
      .map((scope) => ({ scope, active: activeBy("scope", scope) }))
      .filter(({ active }) => active > 0),
  };
}

function sumOf(rows: readonly CountRow[], state: MemoryState): number {
  return rows.reduce((sum, row) => sum + row[state], 0);
}

function countEach<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>;
}
