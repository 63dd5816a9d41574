/** How many memories are new in each scope, and the numbers that they get. */
export function countByScope(memories: readonly { readonly scope: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { scope } of memories) counts.set(scope, (counts.get(scope) ?? 0) + 1);
  return counts;
}

/**
 * Assigns the reserved numbers: the last `count` of each scope up to its last number. The function returns the next number of
 * a scope.
 */
export function numbering(
  lastNumbers: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
): (scope: string) => number {
  const next = new Map<string, number>();
  for (const [scope, count] of counts) next.set(scope, (lastNumbers.get(scope) ?? 0) - count + 1);
  return (scope) => {
    const number = next.get(scope) ?? 1;
    next.set(scope, number + 1);
    return number;
  };
}
