/** The stored keys that a caller may mean: `editor` in any category; `preferences:editor` as it is stored or shown. */
import { MEMORY_CATEGORIES } from "../../memory-types.ts";
import type { MemoryQuery, MemoryStore } from "../../store/memory-store.ts";
import { everyMemory } from "../every-memory.ts";
import { type Keyed, keyName, plainKey, shownKey } from "./fact-key.ts";

/** The given key first, then its name without a category and in each category. */
export function keysNamed(given: string): readonly string[] {
  const name = keyName(plainKey(given));
  const ofCategories = MEMORY_CATEGORIES.map((category) => `${category}:${name}`);
  return [...new Set([given, plainKey(given), name, ...ofCategories])];
}

/** Whether a memory has the given key, in the form in which it is stored or shown, or without its category. */
export function hasKey(memory: Keyed, given: string): boolean {
  const { factKey } = memory;
  if (factKey === null) return false;
  return factKey === given || [factKey, keyName(factKey), shownKey(memory)].includes(plainKey(given));
}

/** The keys of all memories, also of replaced ones, that have the given key. */
export async function storedKeys(
  store: MemoryStore,
  given: string,
  among: Pick<MemoryQuery, "scopes"> = {},
): Promise<readonly string[]> {
  const named = keysNamed(given);
  // Without a category, every one of these keys is meant.
  if (keyName(plainKey(given)) === plainKey(given)) return named;
  const states = ["active", "superseded", "archived"] as const;
  const found = await everyMemory(store, { ...among, factKeys: named, states });
  const keys = found.filter((memory) => hasKey(memory, given)).map(({ factKey }) => factKey ?? given);
  return [...new Set(keys)];
}

/** Of a key, or of a prefix of keys that ends with an asterisk. */
export async function keyQuery(
  given: string | undefined,
  store: MemoryStore,
): Promise<Pick<MemoryQuery, "factKeys" | "factKeyPrefix">> {
  if (given === undefined) return {};
  if (given.endsWith("*")) return { factKeyPrefix: plainKey(given.slice(0, -1)) };
  return { factKeys: await storedKeys(store, given) };
}
