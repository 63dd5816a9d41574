/** Writes what has changed about a memory, in every place that says it. Its words are no part of it. */
import { stateOf } from "../../../memory-types.ts";
import type { StoredMemory } from "../../memory-store.ts";
import { withoutNul } from "../rows.ts";
import type { Transaction } from "../transaction.ts";
import { insertRelations, insertSources } from "./insert-memories.ts";
import { markInForce } from "./mark-in-force.ts";

const UPDATE = `UPDATE memories SET category = $4, tier = $5, importance = $6, confidence = $7, temporal_type = $8,
    fact_key = $9, tags = $10, support = $11, valid_until = $12, archived_at = $13, archived_reason = $14,
    updated_at = $15, invalidated_at = $16, superseded_by = $17
  WHERE tenant = $1 AND scope = $2 AND number = $3`;

export function updateMemory(
  transaction: Transaction,
  tenant: string,
  before: StoredMemory,
  after: StoredMemory,
): void {
  transaction.send(UPDATE, tenant, after.scope, after.number, ...changeable(after));
  if (after.sources.length > before.sources.length) {
    dropRows(transaction, "memory_sources", tenant, after);
    insertSources(transaction, tenant, [after]);
  }
  if (after.relations.length > before.relations.length) {
    dropRows(transaction, "memory_relations", tenant, after);
    insertRelations(transaction, tenant, [after]);
  }
  const isActive = stateOf(after) === "active";
  if (isActive !== (stateOf(before) === "active")) markInForce(transaction, tenant, [after], isActive);
}

function changeable(memory: StoredMemory): readonly unknown[] {
  return [
    memory.category,
    memory.tier,
    memory.importance,
    memory.confidence,
    memory.temporalType,
    withoutNul(memory.factKey),
    memory.tags.map((tag) => withoutNul(tag)),
    JSON.stringify(memory.support),
    memory.validUntil,
    memory.archivedAt,
    withoutNul(memory.archivedReason),
    memory.updatedAt,
    memory.invalidatedAt,
    memory.supersededBy,
  ];
}

function dropRows(
  transaction: Transaction,
  table: "memory_sources" | "memory_relations",
  tenant: string,
  { scope, number }: StoredMemory,
): void {
  transaction.send(
    `DELETE FROM ${table} WHERE tenant = $1 AND scope = $2 AND number = $3`,
    tenant,
    scope,
    number,
  );
}

/** As many uses as either side counted. */
export function keepUses(transaction: Transaction, tenant: string, memories: readonly StoredMemory[]): void {
  const used = memories.filter(({ accessCount, injectedCount }) => accessCount + injectedCount > 0);
  if (used.length === 0) return;
  transaction.send(
    `INSERT INTO memory_uses AS u (tenant, scope, number, access_count, last_accessed_at, injected_count,
       last_injected_at)
     SELECT $1::text, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::bigint[],
       $7::timestamptz[])
     ON CONFLICT (tenant, scope, number) DO UPDATE SET access_count = greatest(u.access_count, excluded.access_count),
       last_accessed_at = greatest(u.last_accessed_at, excluded.last_accessed_at),
       injected_count = greatest(u.injected_count, excluded.injected_count),
       last_injected_at = greatest(u.last_injected_at, excluded.last_injected_at)`,
    tenant,
    used.map(({ scope }) => scope),
    used.map(({ number }) => number),
    used.map(({ accessCount }) => accessCount),
    used.map(({ lastAccessedAt }) => lastAccessedAt),
    used.map(({ injectedCount }) => injectedCount),
    used.map(({ lastInjectedAt }) => lastInjectedAt),
  );
}
