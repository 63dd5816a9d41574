import { MEMORY_CATEGORIES, MEMORY_TIERS } from "../../../memory-types.ts";
import type { MemoryAccess, MemoryCounts } from "../../memory-store.ts";
import type { Session } from "../session.ts";
import { inScopes, STATE_CONDITIONS, scopesOf } from "./memory-rows.ts";

const COUNTED = `
  SELECT m.scope, m.category, m.tier, CASE WHEN ${STATE_CONDITIONS.active} THEN 'active'
      WHEN ${STATE_CONDITIONS.archived} THEN 'archived' WHEN ${STATE_CONDITIONS.superseded} THEN 'superseded'
      ELSE 'erased' END AS state, count(*) AS count
  FROM memories m WHERE m.tenant = $1 AND ${inScopes("m.scope", 2)} GROUP BY 1, 2, 3, 4 ORDER BY m.scope`;

type CountRow = { scope: string; category: string; tier: string; state: string; count: number };

export async function countMemories(session: Session, access: MemoryAccess): Promise<MemoryCounts> {
  const rows = await session.rows<CountRow>(COUNTED, access.tenant, scopesOf(access));
  const active = rows.filter(({ state }) => state === "active");
  const scopes = new Map(Map.groupBy(active, ({ scope }) => scope));
  return {
    total: sumOf(rows),
    byState: countBy(["active", "superseded", "archived", "erased"], rows, "state"),
    byCategory: countBy(MEMORY_CATEGORIES, active, "category"),
    byTier: countBy(MEMORY_TIERS, active, "tier"),
    byScope: [...scopes].map(([scope, own]) => ({ scope, active: sumOf(own) })),
  };
}

function countBy<Name extends string>(
  names: readonly Name[],
  rows: readonly CountRow[],
  field: "state" | "category" | "tier",
): Record<Name, number> {
  const counts = names.map((name) => [name, sumOf(rows.filter((row) => row[field] === name))]);
  return Object.fromEntries(counts) as Record<Name, number>;
}

function sumOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
