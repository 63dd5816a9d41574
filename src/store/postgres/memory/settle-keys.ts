/** Of two memories in force under one key, one here and one that comes, the later stays so; the other is superseded. */
import { stateOf } from "../../../memory-types.ts";
import type { StoredMemory } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { insertMemoryEvents } from "./insert-memories.ts";
import { type MemoryRow, SELECT_MEMORIES, STATE_CONDITIONS, toMemory } from "./memory-rows.ts";
import { endedBy, isLater } from "./merge-memory.ts";
import { supersededBy } from "./remember.ts";
import { updateMemory } from "./update-memory.ts";

/** Answers with the memories as they are to be written; what makes way for them on record is changed at once. */
export async function settleKeys(
  transaction: Transaction,
  tenant: string,
  memories: readonly StoredMemory[],
): Promise<StoredMemory[]> {
  const keyed = memories.filter((memory) => memory.factKey !== null && stateOf(memory) === "active");
  if (keyed.length === 0) return [...memories];
  const holders = await findHolders(transaction, tenant, keyed);
  return memories.map((memory) => {
    const holder = stateOf(memory) === "active" ? holders.get(keyOf(memory)) : undefined;
    if (holder === undefined || holder.id === memory.id) return memory;
    if (isLater(holder, memory)) return endedBy(memory, holder);
    updateMemory(transaction, tenant, holder, endedBy(holder, memory));
    const event = supersededBy(memory.id, memory.createdAt);
    insertMemoryEvents(transaction, tenant, [{ ref: holder, event }]);
    return memory;
  });
}

async function findHolders(
  transaction: Transaction,
  tenant: string,
  keyed: readonly StoredMemory[],
): Promise<ReadonlyMap<string, StoredMemory>> {
  const rows = await transaction.rows<MemoryRow>(
    `${SELECT_MEMORIES} JOIN unnest($2::text[], $3::text[]) AS wanted(scope, fact_key)
       ON m.scope = wanted.scope AND m.fact_key = wanted.fact_key
     WHERE m.tenant = $1 AND ${STATE_CONDITIONS.active}`,
    tenant,
    keyed.map(({ scope }) => scope),
    keyed.map(({ factKey }) => factKey),
  );
  return new Map(rows.map(toMemory).map((memory) => [keyOf(memory), memory]));
}

function keyOf({ scope, factKey }: StoredMemory): string {
  return JSON.stringify([scope, factKey]);
}
