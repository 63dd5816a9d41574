import { MEMORY_CATEGORIES, MEMORY_TIERS, type MemoryState } from "../../memory-types.ts";
import type { MemoryCounts } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";
import { inState } from "../tables/memory-states.ts";

/** States are counted and not grouped by, so that SQLite has less to sort. */
const COUNT = statement((d) => {
  const states = MEMORY_STATES.map((state) => `count(*) FILTER (WHERE ${inState("m", state)}) AS ${state}`);
  return `SELECT s.scope, m.category, m.tier, ${states.join(", ")}
    FROM memory_scopes s ${d.join("memories", "m", d.ofScope("m", "s"))}
    WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")} GROUP BY s.scope, m.category, m.tier`;
});

export async function countMemories(reader: Reader, { tenant, scopes }: MemoryScopes): Promise<MemoryCounts> {
  return memoryCounts(await reader.rows<MemoryGroup>(COUNT, tenant, scopes));
}

/** How many memories there are of which kind, added up from groups. */
const MEMORY_STATES = [
  "active",
  "superseded",
  "archived",
  "erased",
] as const satisfies readonly MemoryState[];

/** The memories of one scope, category and tier, by their states. */
export type MemoryGroup = Readonly<Record<MemoryState, number>> & {
  readonly scope: string;
  readonly category: string;
  readonly tier: string;
};

export function memoryCounts(groups: readonly MemoryGroup[]): MemoryCounts {
  const activeBy = (field: "scope" | "category" | "tier", name: string) =>
    sumOf(
      groups.filter((group) => group[field] === name),
      "active",
    );
  const byState = countEach(MEMORY_STATES, (state) => sumOf(groups, state));
  const scopes = [...new Set(groups.map(({ scope }) => scope))].toSorted();
  return {
    total: MEMORY_STATES.reduce((sum, state) => sum + byState[state], 0),
    byState,
    byCategory: countEach(MEMORY_CATEGORIES, (category) => activeBy("category", category)),
    byTier: countEach(MEMORY_TIERS, (tier) => activeBy("tier", tier)),
    byScope: scopes
      .map((scope) => ({ scope, active: activeBy("scope", scope) }))
      .filter(({ active }) => active > 0),
  };
}

function sumOf(groups: readonly MemoryGroup[], state: MemoryState): number {
  return groups.reduce((sum, group) => sum + group[state], 0);
}

function countEach<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>;
}
