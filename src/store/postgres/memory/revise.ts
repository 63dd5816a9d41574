/** Changes what is known about memories, never their words. */
import { PalimpsestError } from "../../../errors.ts";
import { stateOf } from "../../../memory-types.ts";
import type { MemoryAccess, ReviseWrite, StoredMemory } from "../../memory-store.ts";
import { withoutNul } from "../rows.ts";
import type { Transaction } from "../transaction.ts";
import { insertMemoryEvents, insertRelations, insertSources } from "./insert-memories.ts";
import { markInForce } from "./mark-in-force.ts";
import { findMemories } from "./read-memories.ts";
import { overtaken, requireUntouched } from "./require-untouched.ts";

/** Writes about memories that are all different. */
export async function revise(
  transaction: Transaction,
  access: MemoryAccess,
  writes: readonly ReviseWrite[],
): Promise<StoredMemory[]> {
  await requireUntouched(
    transaction,
    access.tenant,
    writes.flatMap(({ addSources = [] }) => addSources),
    writes.flatMap(({ addRelations = [] }) => addRelations),
  );
  const ids = writes.map(({ id }) => id);
  const known = new Map((await findMemories(transaction, access, ids)).map((memory) => [memory.id, memory]));
  const revised = writes.map((write) => {
    const before = requireRevisable(known.get(write.id), write);
    const after = changed(before, write);
    update(transaction, access.tenant, before, after);
    return after;
  });
  insertMemoryEvents(
    transaction,
    access.tenant,
    writes.map(({ event }, i) => ({ ref: revised[i] as StoredMemory, event })),
  );
  return revised;
}

function requireRevisable(memory: StoredMemory | undefined, write: ReviseWrite): StoredMemory {
  if (memory === undefined || memory.erasedAt !== null)
    throw new PalimpsestError("not-found", `there is no memory ${write.id}`, {
      advice: "It may have been erased. List what is there, or search for it.",
    });
  if (write.unchangedSince !== undefined && write.unchangedSince !== memory.updatedAt)
    throw overtaken(`${write.id} was changed meanwhile`);
  return memory;
}

function changed(memory: StoredMemory, { changes, addSources, addRelations, event }: ReviseWrite): StoredMemory {
  return {
    ...memory,
    ...changes,
    sources: withNew(memory.sources, addSources, ({ conversation, firstSeq, lastSeq, kind }) =>
      [conversation, firstSeq, lastSeq, kind].join(" "),
    ),
    relations: withNew(memory.relations, addRelations, ({ type, target }) => `${type} ${target}`),
    updatedAt: event.at,
  };
}

function withNew<Row>(known: readonly Row[], added: readonly Row[] = [], nameOf: (row: Row) => string): Row[] {
  const rows = new Map(known.map((row) => [nameOf(row), row]));
  for (const row of added) if (!rows.has(nameOf(row))) rows.set(nameOf(row), row);
  return [...rows.values()];
}

function update(transaction: Transaction, tenant: string, before: StoredMemory, after: StoredMemory): void {
  const place = [tenant, after.scope, after.number];
  transaction.send(
    `UPDATE memories SET category = $4, tier = $5, importance = $6, confidence = $7, temporal_type = $8,
       fact_key = $9, tags = $10, support = $11, valid_until = $12, archived_at = $13, archived_reason = $14,
       updated_at = $15
     WHERE tenant = $1 AND scope = $2 AND number = $3`,
    ...place,
    after.category,
    after.tier,
    after.importance,
    after.confidence,
    after.temporalType,
    withoutNul(after.factKey),
    after.tags.map((tag) => withoutNul(tag)),
    JSON.stringify(after.support),
    after.validUntil,
    after.archivedAt,
    withoutNul(after.archivedReason),
    after.updatedAt,
  );
  if (after.sources.length > before.sources.length) {
    transaction.send("DELETE FROM memory_sources WHERE tenant = $1 AND scope = $2 AND number = $3", ...place);
    insertSources(transaction, tenant, [after]);
  }
  if (after.relations.length > before.relations.length) {
    transaction.send("DELETE FROM memory_relations WHERE tenant = $1 AND scope = $2 AND number = $3", ...place);
    insertRelations(transaction, tenant, [after]);
  }
  const isActive = stateOf(after) === "active";
  if (isActive !== (stateOf(before) === "active")) markInForce(transaction, tenant, [after], isActive);
}
