/** Changes what is known about memories, never their words. */
import { PalimpsestError } from "../../../errors.ts";
import { stateOf } from "../../../memory-types.ts";
import type { MemoryAccess, ReviseWrite, StoredMemory } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { insertMemoryEvents } from "./insert-memories.ts";
import { dropMemorySegments } from "./memory-segments.ts";
import { findMemories } from "./read-memories.ts";
import { overtaken, requireUntouched } from "./require-untouched.ts";
import { updateMemory } from "./update-memory.ts";
import { withNew } from "./with-new.ts";

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
    updateMemory(transaction, access.tenant, before, after);
    return after;
  });
  const retagged = revised.filter((_, i) => writes[i]?.changes.tags !== undefined);
  if (retagged.length > 0) dropMemorySegments(transaction, access.tenant, retagged);
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
  if (write.whileInForce && stateOf(memory) !== "active")
    throw overtaken(`${write.id} is not in force any more`);
  return memory;
}

function changed(
  memory: StoredMemory,
  { changes, addSources = [], addRelations = [], event }: ReviseWrite,
): StoredMemory {
  return {
    ...memory,
    ...changes,
    sources: withNew(memory.sources, addSources),
    relations: withNew(memory.relations, addRelations),
    updatedAt: event.at,
  };
}
