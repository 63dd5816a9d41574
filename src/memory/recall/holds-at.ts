/**
 * What held at a time. A memory holds from `validFrom` on until its own end came or something took its place. Where
 * several of one key and scope did at once, the one holds that would be in force then (`store/rules/fact-order.ts`).
 * Whoever answers for a time answers by this.
 */
import type { Memory } from "../../memory-types.ts";
import type { MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { compareValues, factOf } from "../../store/rules/fact-order.ts";
import { everyMemory } from "../every-memory.ts";

/** Pure. Half open: at the very moment of a change, the new version holds. */
export function heldAt(
  { validFrom, validUntil, invalidatedAt, archivedAt, erasedAt }: Memory,
  at: string,
): boolean {
  const time = Date.parse(at);
  const endsBy = (end: string | null) => end !== null && Date.parse(end) <= time;
  return Date.parse(validFrom) <= time && ![validUntil, invalidatedAt, archivedAt, erasedAt].some(endsBy);
}

/** Pure. Which of these versions of one fact held; undefined where none did. What was erased says nothing about any time. */
export function holderAt(versions: readonly StoredMemory[], at: string): StoredMemory | undefined {
  return versions
    .filter((version) => version.erasedAt === null && heldAt(version, at))
    .toSorted((one, other) => compareValues(one, other, null))
    .at(-1);
}

/** All that have the key of a memory in its scope; each key is read once. Those without a key stand alone. */
export class SameKey {
  readonly #store: MemoryStore;
  readonly #read = new Map<string, Promise<readonly StoredMemory[]>>();

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  of(memory: StoredMemory): Promise<readonly StoredMemory[]> {
    const { scope, factKey } = memory;
    const name = factOf(memory);
    if (name === null || factKey === null) return Promise.resolve([memory]);
    const known =
      this.#read.get(name) ?? everyMemory(this.#store, { scopes: [scope], factKey, states: READABLE });
    this.#read.set(name, known);
    return known;
  }

  /** Whether it held itself, and not another one of its key instead. */
  async heldAt(memory: StoredMemory, at: string): Promise<boolean> {
    return holderAt(await this.of(memory), at)?.id === memory.id;
  }
}

/** What still has words. */
export const READABLE = ["active", "superseded", "archived"] as const;
