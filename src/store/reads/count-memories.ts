import type { MemoryCounts } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import { MEMORY_STATES, type MemoryGroup, memoryCounts } from "../rules/memory-counts.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";
import { inState } from "../tables/memory-states.ts";

/** States are counted without grouping by them, so that SQLite has less to sort. */
const COUNT = statement((d) => {
  const states = MEMORY_STATES.map((state) => `count(*) FILTER (WHERE ${inState("m", state)}) AS ${state}`);
  return `SELECT s.scope, m.category, m.tier, ${states.join(", ")}
    FROM memory_scopes s ${d.join("memories", "m", d.ofScope("m", "s"))}
    WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")} GROUP BY s.scope, m.category, m.tier`;
});

export async function countMemories(reader: Reader, { tenant, scopes }: MemoryScopes): Promise<MemoryCounts> {
  return memoryCounts(await reader.rows<MemoryGroup>(COUNT, tenant, scopes));
}
