/** A memory as a store has it right after it came. */
import { UNTOUCHED } from "../../memory-types.ts";
import type { RememberWrite, StoredMemory } from "../memory-store.ts";

export function newlyStored(
  { memory, supersedes }: Pick<RememberWrite, "memory" | "supersedes">,
  number: number,
): StoredMemory {
  return {
    ...memory,
    ...UNTOUCHED,
    number,
    updatedAt: memory.createdAt,
    supersedes: [...new Set(supersedes)],
  };
}
