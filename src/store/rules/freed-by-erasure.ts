/**
 * What was merged comes back when the text that stood for it is erased, and it does not rest on the erased words itself:
 * erasing one message must not take away what others said. Only what was merged does: whatever was replaced by another
 * value, edited, or set aside on request stays as it is.
 */
import { isMadeFrom, type MemoryRelation } from "../../memory-types.ts";
import type { StoredMemory } from "../memory-store.ts";
import { compareValues, type FactValue, factOf } from "./fact-order.ts";

/** As it was before it was erased. */
export interface ErasedMemory {
  readonly id: string;
  readonly supersededBy: string | null;
  readonly isArchived: boolean;
  readonly relations: readonly MemoryRelation[];
}

/** What an erasure did, by ids. */
export interface ErasedMemories {
  /** All that lost their words now. */
  readonly erased: readonly string[];
  /** What is in force again, since a text that it was merged into lost its words. */
  readonly restored: readonly string[];
}

export const NOTHING_ERASED: ErasedMemories = { erased: [], restored: [] };

/** Pairs of a memory that may come back and the erased one that had taken its place. */
export function freedByErasure(
  erased: readonly ErasedMemory[],
): readonly { readonly id: string; readonly by: string }[] {
  const gone = new Map(erased.map((memory) => [memory.id, memory]));
  return erased
    .filter((memory) => endsWithErased(memory, gone))
    .flatMap(({ id: by, relations }) =>
      relations
        .filter(({ type, target }) => type === "merged-from" && !gone.has(target))
        .map(({ target: id }) => ({ id, by })),
    );
}

/** Whether it was in force until now, or only what was made of it was. */
function endsWithErased(memory: ErasedMemory, gone: ReadonlyMap<string, ErasedMemory>): boolean {
  if (memory.isArchived) return false;
  if (memory.supersededBy === null) return true;
  const successor = gone.get(memory.supersededBy);
  const isOfIt = successor?.relations.some((one) => isMadeFrom(one) && one.target === memory.id);
  return successor !== undefined && isOfIt === true && endsWithErased(successor, gone);
}

type Freed = FactValue & Pick<StoredMemory, "scope" | "factKey">;

/** Of one fact only one can be in force: the value that would be if they had all just come. */
export function restorable<Memory extends Freed>(freed: readonly Memory[], now: string): readonly Memory[] {
  const ordered = freed.toSorted((one, other) => compareValues(one, other, now));
  const holders = new Map(ordered.map((memory) => [factOf(memory) ?? memory.id, memory]));
  return freed.filter((memory) => holders.get(factOf(memory) ?? memory.id) === memory);
}
