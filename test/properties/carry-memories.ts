/** Memories as they must be in an empty store that they were carried to. Tombstones, uses and history stay behind. */
import type { ExchangedMemory } from "../../src/memory/exchange/exchanged-memory.ts";

type Carried = Omit<
  ExchangedMemory,
  "events" | "updatedAt" | "accessCount" | "lastAccessedAt" | "injectedCount" | "lastInjectedAt"
>;

/** By id. What was replaced by something erased is set aside since then: nothing is there that replaced it. */
export function carried(memories: readonly ExchangedMemory[]): ReadonlyMap<string, Carried> {
  const left = new Map(memories.filter(({ erasedAt }) => erasedAt === null).map((one) => [one.id, one]));
  return new Map([...left].map(([id, memory]) => [id, carriedOne(memory, (other) => left.has(other))]));
}

function carriedOne(memory: ExchangedMemory, isThere: (id: string) => boolean): Carried {
  const { events, updatedAt, accessCount, lastAccessedAt, injectedCount, lastInjectedAt, ...own } = memory;
  const { supersededBy, invalidatedAt } = memory;
  const supersedes = memory.supersedes.filter(isThere).toSorted();
  if (supersededBy === null || isThere(supersededBy)) return { ...own, supersedes };
  const archivedReason = `replaced by ${supersededBy} before the import`;
  const ended = { supersededBy: null, invalidatedAt: null, archivedAt: invalidatedAt, archivedReason };
  return { ...own, supersedes, ...ended };
}
