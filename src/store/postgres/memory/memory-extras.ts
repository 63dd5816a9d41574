/** What PostgreSQL keeps of memories in its own way: vectors with their signs, and locks. */
import type { MemoryRef } from "../../memory-store.ts";
import type { MemoryExtras } from "../../port.ts";
import { refList } from "../../tables/memory-refs.ts";
import { POSTGRES } from "../dialect.ts";
import type { Transaction } from "../transaction.ts";
import { markInForce } from "./mark-in-force.ts";
import { dropVectors, insertVectors, pruneVectors, replaceVectors } from "./write-vectors.ts";

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
