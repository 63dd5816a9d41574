/** How often memories were used. Stored separately, so that counting rewrites nothing else. */
import { insertInto } from "../insert.ts";
import type { MemoryRef, StoredMemory, UseWrite } from "../memory-store.ts";
import type { Port } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";
import { refList } from "./memory-refs.ts";

/** Rows are locked in the order of their keys, which prevents deadlocks. */
const count = (column: string, last: string) =>
  statement(
    (d) => `INSERT INTO memory_uses AS u (${d.memoryKey()}, ${column}, ${last})
      SELECT ${d.memoryKey("m.")}, ${d.bigint("$5")}, ${d.time("$4")} FROM memories m
      WHERE ${d.inScopes("m", "$2")} AND ${d.isListed("m.uid", "$3", "text")} AND m.erased_at IS NULL
      ORDER BY ${d.memoryKey("m.")}
      ON CONFLICT (${d.memoryKey()}) DO UPDATE SET ${column} = u.${column} + excluded.${column},
        ${last} = CASE WHEN u.${last} > excluded.${last} THEN u.${last} ELSE excluded.${last} END`,
  );

const COUNT = {
  access: count("access_count", "last_accessed_at"),
  injection: count("injected_count", "last_injected_at"),
} as const;

/** Returns how many were counted. */
export function countUses(
  port: Port,
  { tenant, scopes }: MemoryScopes,
  { ids, how, at, times = 1 }: UseWrite,
): Promise<number> {
  return port.run(COUNT[how], tenant, scopes, ids, at, times);
}

const KEEP = insertInto(
  "memory_uses",
  {
    scope: "scope",
    number: "memory",
    access_count: "bigint",
    last_accessed_at: "time",
    injected_count: "bigint",
    last_injected_at: "time",
  },
  {
    owner: "memory",
    onConflict: (d) => `ON CONFLICT (${d.memoryKey()}) DO UPDATE SET access_count = excluded.access_count,
      last_accessed_at = excluded.last_accessed_at, injected_count = excluded.injected_count,
      last_injected_at = excluded.last_injected_at`,
  },
);

/** For loading: includes earlier counts. */
export function keepUses(port: Port, tenant: string, memories: readonly StoredMemory[]): void {
  const used = memories.filter(({ accessCount, injectedCount }) => accessCount + injectedCount > 0);
  if (used.length === 0) return;
  port.insert(
    KEEP,
    [tenant],
    used.map((memory) => ({
      scope: memory.scope,
      number: memory.number,
      access_count: memory.accessCount,
      last_accessed_at: memory.lastAccessedAt,
      injected_count: memory.injectedCount,
      last_injected_at: memory.lastInjectedAt,
    })),
  );
}

const DROP = statement((d) => `DELETE FROM memory_uses WHERE ${d.listedMemories("memory_uses", "$2")}`);

export function dropUses(port: Port, tenant: string, refs: readonly MemoryRef[]): void {
  port.send(DROP, tenant, refList(refs));
}
