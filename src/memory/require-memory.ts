/** Finds a memory by its id or a unique prefix; otherwise throws an error that lists similar ids. */
import { PalimpsestError } from "../errors.ts";
import type { MemoryStore, StoredMemory } from "../store/memory-store.ts";
import { nearest } from "../text/hints/nearest.ts";
import { isMemoryId } from "../text/identifiers.ts";

const LEAST_PREFIX = "mem_012".length;
const ID_TOLD = "An id looks like mem_0123456789abcdef; a unique prefix with at least 3 digits is enough.";

export async function requireMemory(store: MemoryStore, id: string): Promise<StoredMemory> {
  if (typeof id !== "string")
    throw new PalimpsestError("invalid-input", `a memory id must be text, not ${typeof id}`, {
      advice: ID_TOLD,
    });
  const found = isMemoryId(id) ? await store.memory(id) : await byPrefix(store, id);
  if (found !== undefined) return found;
  const near = nearest(id, await store.similarMemoryIds(id)).slice(0, 3);
  throw new PalimpsestError("not-found", `there is no memory ${id}`, {
    advice:
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "List memories to find it: lcm memory list",
  });
}

async function byPrefix(store: MemoryStore, id: string): Promise<StoredMemory | undefined> {
  if (!id.startsWith("mem_") || id.length < LEAST_PREFIX) throw notAnId(id);
  const matching = (await store.similarMemoryIds(id)).filter((one) => one.startsWith(id));
  if (matching.length > 1)
    throw new PalimpsestError("invalid-input", `${id} matches several ids`, {
      advice: `Type more digits: ${matching.slice(0, 3).join(", ")}.`,
    });
  return matching[0] === undefined ? undefined : store.memory(matching[0]);
}

function notAnId(id: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${id} is not a memory id`, {
    advice: ID_TOLD,
  });
}
