/** Memory data that PostgreSQL stores in its own way: vectors with their sign bits, and locks. */
import type { MemoryRef } from "../../memory-store.ts";
import type { MemoryExtras } from "../../port.ts";
import { refList } from "../../tables/memory-refs.ts";
import { POSTGRES } from "../dialect.ts";
import type { Transaction } from "../transaction.ts";
import { countChange, dropVectors, insertVectors, pruneVectors, replaceVectors } from "./write-vectors.ts";

export function memoryExtras(transaction: Transaction): MemoryExtras {
  return {
    lockTenant: (tenant, mode) => {
      const lock = mode === "alone" ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared";
      transaction.send(`SELECT ${lock}(hashtextextended($1, 2))`, tenant);
    },
    insertVectors: (tenant, placed) => insertVectors(transaction, tenant, placed),
    replaceVectors: (access, write) => replaceVectors(transaction, access, write),
    dropVectors: (access, write) => dropVectors(transaction, access, write),
    pruneVectors: (access, write) => pruneVectors(transaction, access, write),
    markInForce: (tenant, refs, isActive) => markInForce(transaction, tenant, refs, isActive),
    replaceTags: () => {},
    drop: (tenant, refs) => dropAllVectors(transaction, tenant, refs),
  };
}

function dropAllVectors(transaction: Transaction, tenant: string, refs: readonly MemoryRef[]): void {
  for (const table of ["memory_vectors", "memory_vector_bits"])
    transaction.send(
      `DELETE FROM ${table} WHERE ${POSTGRES.listedMemories(table, "$2")}`,
      tenant,
      refList(refs),
    );
}

/** Copies the active flag of memories to their sign bits, so that a search need not read their rows. */
function markInForce(
  transaction: Transaction,
  tenant: string,
  refs: readonly MemoryRef[],
  isActive: boolean,
): void {
  if (refs.length === 0) return;
  countChange(transaction, tenant, refs);
  transaction.send(
    `UPDATE memory_vector_bits b SET is_active = $4, change = s.last_change
     FROM unnest($2::text[], $3::bigint[]) AS changed(scope, number)
     JOIN memory_scopes s ON s.tenant = $1 AND s.scope = changed.scope
     WHERE b.tenant = $1 AND b.scope = changed.scope AND b.number = changed.number`,
    tenant,
    refs.map(({ scope }) => scope),
    refs.map(({ number }) => number),
    isActive,
  );
}
