/** Computes a memory after a revision, or refuses the revision. */
import { PalimpsestError } from "../../errors.ts";
import { stateOf } from "../../memory-types.ts";
import type { ReviseWrite, StoredMemory } from "../memory-store.ts";
import { overtaken } from "./overtaken.ts";
import { withNew } from "./with-new.ts";

export function reviseMemory(known: StoredMemory | undefined, write: ReviseWrite): StoredMemory {
  const memory = requireRevisable(known, write);
  const { changes, addSources = [], addRelations = [], event } = write;
  return {
    ...memory,
    ...changes,
    sources: withNew(memory.sources, addSources),
    relations: withNew(memory.relations, addRelations),
    updatedAt: event.at,
  };
}

function requireRevisable(memory: StoredMemory | undefined, write: ReviseWrite): StoredMemory {
  if (memory === undefined || memory.erasedAt !== null)
    throw new PalimpsestError("not-found", `there is no memory ${write.id}`, {
      advice: "Check the id; memories of other scopes and erased ones cannot be changed.",
    });
  if (write.unchangedSince !== undefined && write.unchangedSince !== memory.updatedAt)
    throw overtaken(`${write.id} was changed meanwhile`);
  if (write.whileInForce && stateOf(memory) !== "active") throw overtaken(`${write.id} is no longer active`);
  return memory;
}
