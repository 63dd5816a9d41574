/** Brings back in force what was merged into a text that is erased now. The tenant's lock is held alone. */

import type { MemoryRef } from "../../memory-store.ts";
import { type ErasedMemory, freedByErasure } from "../../rules/freed-by-erasure.ts";
import type { Transaction } from "../transaction.ts";
import { insertMemoryEvents } from "./insert-memories.ts";
import { markInForce } from "./mark-in-force.ts";
import { STATE_CONDITIONS } from "./memory-rows.ts";

type Freed = MemoryRef & { readonly uid: string; readonly fact_key: string | null };

/** Gives the ids of those that are in force again. */
export async function restoreMerged(
  transaction: Transaction,
  tenant: string,
  erased: readonly ErasedMemory[],
  at: string,
): Promise<string[]> {
  const freed = firstOfEachKey(await withoutTaken(transaction, tenant, erased));
  if (freed.length === 0) return [];
  const ids = freed.map(({ uid }) => uid);
  transaction.send(
    `UPDATE memories SET invalidated_at = NULL, superseded_by = NULL, updated_at = $3
     WHERE tenant = $1 AND uid = ANY($2::text[])`,
    tenant,
    ids,
    at,
  );
  markInForce(transaction, tenant, freed, true);
  const detail = JSON.stringify({ reason: "what it was merged into was erased" });
  insertMemoryEvents(
    transaction,
    tenant,
    freed.map((ref) => ({ ref, event: { at, action: "restored", detail } })),
  );
  return ids;
}

/** Those whose key nothing else has. The newest first: of two values of one key it is the one that holds. */
async function withoutTaken(
  transaction: Transaction,
  tenant: string,
  erased: readonly ErasedMemory[],
): Promise<readonly Freed[]> {
  const freed = freedByErasure(erased);
  if (freed.length === 0) return [];
  return transaction.rows<Freed>(
    `SELECT old.uid, old.scope, old.number, old.fact_key FROM unnest($2::text[], $3::text[]) AS freed(uid, by)
     JOIN memories old ON old.tenant = $1 AND old.uid = freed.uid AND old.superseded_by = freed.by
     WHERE old.erased_at IS NULL AND old.archived_at IS NULL AND NOT EXISTS (SELECT FROM memories m
       WHERE m.tenant = $1 AND m.scope = old.scope AND m.fact_key = old.fact_key AND ${STATE_CONDITIONS.active})
     ORDER BY old.created_at DESC, old.number DESC`,
    tenant,
    freed.map(({ id }) => id),
    freed.map(({ by }) => by),
  );
}

/** Of one key of a scope only one can be in force. */
function firstOfEachKey(memories: readonly Freed[]): readonly Freed[] {
  const taken = new Set<string>();
  return memories.filter(({ scope, fact_key }) => {
    const key = JSON.stringify([scope, fact_key]);
    return fact_key === null || taken.size < taken.add(key).size;
  });
}
