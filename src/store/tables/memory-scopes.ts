/** Memory scopes, each counting its memories up from 1. */
import type { Port, Reader } from "../port.ts";
import { rowList } from "../row-list.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";

/** The last assigned number of each scope, including those just reserved. */
export type LastNumbers = ReadonlyMap<string, number>;

const LOCK = statement(
  (d) => `INSERT INTO memory_scopes AS s (tenant, scope, last_number, memory_count)
    SELECT $1, wanted.scope, wanted.count, wanted.count FROM ${d.rows("$2", "wanted", { scope: "text", count: "bigint" })}
    WHERE wanted.count > 0 OR EXISTS (SELECT 1 FROM memory_scopes WHERE tenant = $1 AND scope = wanted.scope)
    ORDER BY wanted.key
    ON CONFLICT (tenant, scope) DO UPDATE SET last_number = s.last_number + excluded.last_number,
      memory_count = s.memory_count + excluded.memory_count
    RETURNING scope, last_number AS last`,
);

/**
 * Locks scopes and reserves numbers in one statement. A scope is created with its first memory. Scopes are locked in the
 * order of their names, which prevents deadlocks.
 */
export async function lockScopes(
  port: Port,
  tenant: string,
  counts: ReadonlyMap<string, number>,
): Promise<LastNumbers> {
  if (counts.size === 0) return new Map();
  const wanted = rowList(
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([scope]) => scope,
    ([, count]) => count,
  );
  const rows = await port.rows<{ scope: string; last: number }>(LOCK, tenant, wanted);
  return new Map(rows.map(({ scope, last }) => [scope, last]));
}

const FIND = statement(
  (d) => `SELECT ${d.scope("m")} AS scope FROM memories m
    WHERE ${d.inScopes("m", "$2")} AND ${d.isListed("m.uid", "$3", "text")}
    UNION SELECT s.scope FROM memory_scopes s ${d.join("memory_segments", "g", d.sameScope("g", "s"))}
    WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")} AND ${d.isListed("g.segment_id", "$4", "bigint")}`,
);

/** For memories and segments, whose scope never changes, so it is known before it is locked. */
export async function findScopesOf(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  memories: readonly string[],
  segments: readonly number[],
): Promise<readonly string[]> {
  if (memories.length + segments.length === 0) return [];
  const rows = await reader.rows<{ scope: string }>(FIND, tenant, scopes, memories, segments);
  return rows.map(({ scope }) => scope);
}
