import type { MemoryRef } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";

/**
 * Counts a change of each scope, before signs are written in it: all that is written of a memory at a time has one count.
 * Scopes are written under a lock, or by whoever has the tenant alone, so changes of one scope come to be seen in order.
 */
export function countChange(transaction: Transaction, tenant: string, refs: readonly MemoryRef[]): void {
  transaction.send(
    "UPDATE memory_scopes SET last_change = last_change + 1 WHERE tenant = $1 AND scope = ANY($2::text[])",
    tenant,
    [...new Set(refs.map(({ scope }) => scope))],
  );
}
