import type { MemoryIndex } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { unindexedRuns } from "../rules/unindexed-runs.ts";
import { readIndexedScopes } from "../tables/memory-segments.ts";

export async function readMemoryIndex(reader: Reader, access: MemoryScopes): Promise<MemoryIndex> {
  const indexed = await readIndexedScopes(reader, access);
  const scopes = indexed.map(({ scope, last, segments }) => ({
    scope,
    last,
    segments: segments.map(([id, first, end]) => ({ id, scope, first, last: end })),
  }));
  return {
    segments: scopes.flatMap(({ segments }) => segments).toSorted((a, b) => a.id - b.id),
    unindexed: scopes.flatMap(({ scope, last, segments }) => unindexedRuns(scope, last, segments)),
  };
}
