/**
 * A merged memory is restored when the merged text is erased, unless it is itself derived from the erased content: erasing
 * one message must not remove what other messages said. This applies to merged memories only: a memory that was replaced by
 * another value, edited, or archived on request does not change.
 */
import { isMadeFrom, type MemoryRelation } from "../../memory-types.ts";
import type { StoredMemory } from "../memory-store.ts";
import { compareValues, type FactValue, factOf } from "./fact-order.ts";

/** The state before it was erased. */
export interface ErasedMemory {
  readonly id: string;
  readonly supersededBy: string | null;
  readonly isArchived: boolean;
  readonly relations: readonly MemoryRelation[];
}

/** The result of an erasure, by ids. */
export interface ErasedMemories {
  /** All memories that lost their text now. */
  readonly erased: readonly string[];
  /** Memories that are active again, since a text that they were merged into was erased. */
  readonly restored: readonly string[];
}

export const NOTHING_ERASED: ErasedMemories = { erased: [], restored: [] };

/** Pairs of a memory that may be restored and the erased one that had replaced it. */
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

/** Whether it was active until now, or only a memory derived from it was. */
function endsWithErased(memory: ErasedMemory, gone: ReadonlyMap<string, ErasedMemory>): boolean {
  if (memory.isArchived) return false;
  if (memory.supersededBy === null) return true;
  const successor = gone.get(memory.supersededBy);
  const isOfIt = successor?.relations.some((one) => isMadeFrom(one) && one.target === memory.id);
  return successor !== undefined && isOfIt === true && endsWithErased(successor, gone);
}

type Freed = FactValue & Pick<StoredMemory, "scope" | "factKey">;

/** Only one value of a fact can be active: the one that would be if all had just been stored. */
export function restorable<Memory extends Freed>(freed: readonly Memory[], now: string): readonly Memory[] {
  const ordered = freed.toSorted((one, other) => compareValues(one, other, now));
  const holders = new Map(ordered.map((memory) => [factOf(memory) ?? memory.id, memory]));
  return freed.filter((memory) => holders.get(factOf(memory) ?? memory.id) === memory);
}
