/** A memory in the state in which a store first has it. */
import { UNTOUCHED } from "../../memory-types.ts";
import type { RememberWrite, StoredMemory } from "../memory-store.ts";
import { endedBy } from "./settle-keys.ts";

export function newlyStored(
  { memory, supersedes, supersededBy }: Pick<RememberWrite, "memory" | "supersedes" | "supersededBy">,
  number: number,
): StoredMemory {
  const stored = {
    ...memory,
    ...UNTOUCHED,
    number,
    updatedAt: memory.createdAt,
    supersedes: [...new Set(supersedes)],
  };
  return supersededBy === undefined ? stored : endedBy(stored, supersededBy);
}
