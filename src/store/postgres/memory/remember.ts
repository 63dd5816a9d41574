/** New memories, and what they take the place of. Their scopes are locked, so what is checked here stays so. */
import type { MemoryEvent, RememberWrite, StoredMemory } from "../../memory-store.ts";
import { newlyStored } from "../../rules/newly-stored.ts";
import type { Transaction } from "../transaction.ts";
import { requireLengths } from "../vectors/require-lengths.ts";
import { insertMemories, insertMemoryEvents } from "./insert-memories.ts";
import { markInForce } from "./mark-in-force.ts";
import { overtaken, requireUntouched } from "./require-untouched.ts";
import { insertVectors } from "./write-vectors.ts";

/** Writes that do not build on one another. `numberIn` gives out the next number of a scope. */
export async function remember(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
  numberIn: (scope: string) => number,
): Promise<StoredMemory[]> {
  await requireUntouched(
    transaction,
    tenant,
    writes.flatMap(({ memory }) => memory.sources),
    writes.flatMap(({ memory }) => memory.relations),
  );
  const memories = writes.map((write) => newlyStored(write, numberIn(write.memory.scope)));
  await supersede(transaction, tenant, writes);
  insertMemories(transaction, tenant, memories);
  insertMemoryEvents(
    transaction,
    tenant,
    writes.map(({ detail }, i) => {
      const memory = memories[i] as StoredMemory;
      return { ref: memory, event: { at: memory.createdAt, action: "created", detail } };
    }),
  );
  await addVectors(transaction, tenant, writes, memories);
  return memories;
}

async function addVectors(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
  memories: readonly StoredMemory[],
): Promise<void> {
  const placed = writes.flatMap(({ vectors }, i) =>
    vectors === undefined ? [] : [{ ref: memories[i] as StoredMemory, isActive: true, vectors }],
  );
  if (placed.length === 0) return;
  await requireLengths(
    transaction,
    tenant,
    placed.map(({ vectors }) => vectors),
  );
  insertVectors(transaction, tenant, placed);
}

/** Each must still be in force and lie in the same scope. */
async function supersede(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
): Promise<void> {
  const pairs = writes.flatMap(({ memory, supersedes }) =>
    [...new Set(supersedes)].map((old) => ({ old, memory })),
  );
  if (pairs.length === 0) return;
  const changed = await transaction.rows<{ uid: string; scope: string; number: number }>(
    `UPDATE memories m SET invalidated_at = new.at, updated_at = new.at, superseded_by = new.id
     FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS new(old, id, scope, at)
     WHERE m.tenant = $1 AND m.uid = new.old AND m.scope = new.scope AND m.erased_at IS NULL
       AND m.invalidated_at IS NULL AND m.archived_at IS NULL
     RETURNING m.uid, m.scope, m.number`,
    tenant,
    pairs.map(({ old }) => old),
    pairs.map(({ memory }) => memory.id),
    pairs.map(({ memory }) => memory.scope),
    pairs.map(({ memory }) => memory.createdAt),
  );
  if (changed.length !== pairs.length) throw overtaken("what it takes the place of is not in force any more");
  const refs = new Map(changed.map((row) => [row.uid, row]));
  insertMemoryEvents(
    transaction,
    tenant,
    pairs.flatMap(({ old, memory }) => {
      const ref = refs.get(old);
      return ref === undefined ? [] : [{ ref, event: supersededBy(memory.id, memory.createdAt) }];
    }),
  );
  markInForce(transaction, tenant, changed, false);
}

export function supersededBy(id: string, at: string): MemoryEvent {
  return { at, action: "superseded", detail: JSON.stringify({ by: id }) };
}
