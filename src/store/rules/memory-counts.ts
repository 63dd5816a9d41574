/** Counts memories of each kind by adding up groups. */
import { MEMORY_CATEGORIES, MEMORY_TIERS, type MemoryState } from "../../memory-types.ts";
import type { MemoryCounts } from "../memory-store.ts";

export const MEMORY_STATES = [
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
