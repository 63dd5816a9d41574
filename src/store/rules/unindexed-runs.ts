import type { MemoryRun } from "../memory-store.ts";

/** Numbers from 1 to `last` that no segment of the scope contains. Segments are ordered by their first numbers. */
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
