/** Merges what two stores know of one memory. Its text must be the same in both. */
import { PalimpsestError } from "../../errors.ts";
import type { StoredMemory } from "../memory-store.ts";
import { withNew } from "./with-new.ts";

/**
 * The later change determines the metadata. A memory superseded on either side stays superseded, unless its successor
 * elsewhere is erased here, which made it active again.
 */
export function mergeMemory(
  here: StoredMemory,
  incoming: StoredMemory,
  isErased: (id: string) => boolean,
): StoredMemory {
  if (here.scope !== incoming.scope) throw conflict(`${here.id} is on record in another memory scope`);
  if (here.erasedAt !== null || incoming.erasedAt !== null) return here;
  if (!hasSameWords(here, incoming)) throw conflict(`${here.id} has another text here`);
  const latest = incoming.updatedAt > here.updatedAt ? incoming : here;
  const isBack = incoming.supersededBy !== null && isErased(incoming.supersededBy);
  const ended = here.invalidatedAt === null && !isBack ? incoming : here;
  return {
    ...latest,
    ...mergeUses(here, incoming),
    number: here.number,
    sources: withNew(here.sources, incoming.sources),
    relations: withNew(here.relations, incoming.relations),
    invalidatedAt: ended.invalidatedAt,
    supersededBy: ended.supersededBy,
  };
}

function hasSameWords(a: StoredMemory, b: StoredMemory): boolean {
  return a.abstract === b.abstract && a.overview === b.overview && a.content === b.content;
}

function mergeUses(a: StoredMemory, b: StoredMemory) {
  return {
    accessCount: Math.max(a.accessCount, b.accessCount),
    lastAccessedAt: later(a.lastAccessedAt, b.lastAccessedAt),
    injectedCount: Math.max(a.injectedCount, b.injectedCount),
    lastInjectedAt: later(a.lastInjectedAt, b.lastInjectedAt),
  };
}

function later(a: string | null, b: string | null): string | null {
  return (a ?? "") > (b ?? "") ? a : b;
}

function conflict(message: string): PalimpsestError {
  return new PalimpsestError("conflict", message, { advice: "Nothing was written." });
}
