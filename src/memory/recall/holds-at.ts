/**
 * The facts valid at a time. A memory is valid from `validFrom` until its own end or its replacement. If
 * several of one key and scope overlap, the one that `store/rules/fact-order.ts` prefers is valid.
 * All queries about a time use this rule.
 */
import type { Memory } from "../../memory-types.ts";
import type { MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { compareValues, factOf } from "../../store/rules/fact-order.ts";
import { everyMemory } from "../every-memory.ts";

/** Pure. Half open: at the time of a change, the new version is valid. */
export function heldAt(
  { validFrom, validUntil, invalidatedAt, archivedAt, erasedAt }: Memory,
  at: string,
): boolean {
  const time = Date.parse(at);
  const endsBy = (end: string | null) => end !== null && Date.parse(end) <= time;
  return Date.parse(validFrom) <= time && ![validUntil, invalidatedAt, archivedAt, erasedAt].some(endsBy);
}

/** Pure. The version of a fact that was valid; undefined if none was. Erased versions do not count. */
export function holderAt(versions: readonly StoredMemory[], at: string): StoredMemory | undefined {
  return versions
    .filter((version) => version.erasedAt === null && heldAt(version, at))
    .toSorted((one, other) => compareValues(one, other, null))
    .at(-1);
}

/** All memories with the same key and scope; each key is read once. A memory without a key is alone. */
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

  /** Whether this memory was valid, and not another one of its key. */
  async heldAt(memory: StoredMemory, at: string): Promise<boolean> {
    return holderAt(await this.of(memory), at)?.id === memory.id;
  }
}

/** The states in which a memory still has its words. */
export const READABLE = ["active", "superseded", "archived"] as const;
