import type { MemoryIndex, MemoryRun } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
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

/** Numbers from 1 to `last` that no segment of the scope holds. Segments come in the order of their first numbers. */
export function unindexedRuns(
  scope: string,
  last: number,
  segments: readonly { readonly first: number; readonly last: number }[],
): MemoryRun[] {
  const gaps: MemoryRun[] = [];
  let next = 1;
  for (const run of [...segments, { first: last + 1, last }]) {
    if (run.first > next) gaps.push({ scope, first: next, last: run.first - 1 });
    next = run.last + 1;
  }
  return gaps;
}
