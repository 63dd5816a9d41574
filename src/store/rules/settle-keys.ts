/** Of two active memories under one key of a scope, one stored and one incoming, the later stays active. */
import { stateOf } from "../../memory-types.ts";
import type { MemoryEvent, StoredMemory, Successor } from "../memory-store.ts";
import { compareValues, factOf } from "./fact-order.ts";

interface SettledKeys {
  /** The incoming memories in the form in which they are written, in their order. */
  readonly memories: readonly StoredMemory[];
  /** Stored memories that they replace. */
  readonly ended: readonly EndedMemory[];
}

interface EndedMemory {
  readonly before: StoredMemory;
  readonly after: StoredMemory;
  readonly event: MemoryEvent;
}

/** Whether a memory is active under a key. */
export function holdsKey(memory: StoredMemory): boolean {
  return memory.factKey !== null && stateOf(memory) === "active";
}

/** `holders` are the stored memories that are active under keys of `memories`. */
export function settleKeys(memories: readonly StoredMemory[], holders: readonly StoredMemory[]): SettledKeys {
  const holderOf = new Map(holders.map((holder) => [factOf(holder), holder]));
  const ended: EndedMemory[] = [];
  const settled = memories.map((memory) => {
    const holder = holdsKey(memory) ? holderOf.get(factOf(memory)) : undefined;
    if (holder === undefined || holder.id === memory.id) return memory;
    if (compareValues(holder, memory, null) > 0) return endedBy(memory, holder);
    const event = supersededBy(memory.id, memory.createdAt);
    ended.push({ before: holder, after: endedBy(holder, memory), event });
    return memory;
  });
  return { memories: settled, ended };
}

export function endedBy(memory: StoredMemory, by: Successor): StoredMemory {
  return {
    ...memory,
    invalidatedAt: by.createdAt,
    supersededBy: by.id,
    updatedAt: by.createdAt > memory.updatedAt ? by.createdAt : memory.updatedAt,
  };
}

export function supersededBy(id: string, at: string): MemoryEvent {
  return { at, action: "superseded", detail: JSON.stringify({ by: id }) };
}
