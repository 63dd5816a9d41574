import type { MemoryRef } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { countChange } from "./count-change.ts";

/** Repeats beside the signs whether memories are in force, so that a search need not open their rows. */
export function markInForce(
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
