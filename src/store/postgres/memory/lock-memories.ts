/**
 * Who may change memories at a time. Everyone who writes holds the tenant's lock together with others and the rows of the
 * scopes written into alone; an erasure holds the tenant's lock alone, since what was made from a memory may lie in any
 * scope. Conversations are locked before, scopes in the order of their names: so nobody waits for each other.
 */
import type { MemoryAccess, MemoryWrite } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";

/** Numbers of scopes: how many were given out, those of this commit included. */
export type LastNumbers = ReadonlyMap<string, number>;

export function lockTenant(transaction: Transaction, tenant: string, mode: "shared" | "alone"): void {
  const lock = mode === "alone" ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared";
  transaction.send(`SELECT ${lock}(hashtextextended($1, 2))`, tenant);
}

export async function lockMemories(
  transaction: Transaction,
  access: MemoryAccess,
  writes: readonly MemoryWrite[],
): Promise<LastNumbers> {
  const isErasure = writes.some(({ kind }) => kind === "erase-memories");
  lockTenant(transaction, access.tenant, isErasure ? "alone" : "shared");
  const counts = new Map<string, number>();
  for (const scope of await findScopes(transaction, access, writes)) counts.set(scope, 0);
  for (const write of writes) {
    const scope = scopeOf(write);
    if (scope === undefined) continue;
    counts.set(scope, (counts.get(scope) ?? 0) + (write.kind === "remember" ? 1 : 0));
  }
  return lockScopes(transaction, access.tenant, counts);
}

function scopeOf(write: MemoryWrite): string | undefined {
  if (write.kind === "remember") return write.memory.scope;
  if (write.kind === "vectors") return write.ref.scope;
  return write.kind === "memory-index" ? write.segment?.scope : undefined;
}

/** Of writes that name memories or segments: these never change their scope, so it is known before it is locked. */
async function findScopes(
  transaction: Transaction,
  access: MemoryAccess,
  writes: readonly MemoryWrite[],
): Promise<readonly string[]> {
  const ids = writes.flatMap((write) => (write.kind === "revise" ? [write.id] : []));
  const segments = writes.flatMap((write) => (write.kind === "memory-index" ? write.replaces : []));
  if (ids.length + segments.length === 0) return [];
  const rows = await transaction.rows<{ scope: string }>(
    `SELECT scope FROM memories WHERE tenant = $1 AND ${inScopes("scope", 2)} AND uid = ANY($3::text[])
     UNION SELECT scope FROM memory_segments
     WHERE tenant = $1 AND ${inScopes("scope", 2)} AND segment_id = ANY($4::bigint[])`,
    access.tenant,
    scopesOf(access),
    ids,
    segments,
  );
  return rows.map(({ scope }) => scope);
}

/** Locks and numbers in one statement. A scope comes to be with its first memory. */
export async function lockScopes(
  transaction: Transaction,
  tenant: string,
  counts: ReadonlyMap<string, number>,
): Promise<LastNumbers> {
  if (counts.size === 0) return new Map();
  const rows = await transaction.rows<{ scope: string; last_number: number }>(
    `INSERT INTO memory_scopes AS s (tenant, scope, last_number)
     SELECT $1, wanted.scope, wanted.count FROM unnest($2::text[], $3::bigint[]) AS wanted(scope, count)
     WHERE wanted.count > 0
       OR EXISTS (SELECT FROM memory_scopes WHERE tenant = $1 AND scope = wanted.scope)
     ORDER BY wanted.scope COLLATE "C"
     ON CONFLICT (tenant, scope) DO UPDATE SET last_number = s.last_number + excluded.last_number
     RETURNING scope, last_number`,
    tenant,
    [...counts.keys()],
    [...counts.values()],
  );
  return new Map(rows.map(({ scope, last_number }) => [scope, last_number]));
}
