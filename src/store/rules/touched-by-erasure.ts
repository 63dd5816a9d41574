/** Whether runs of messages contain an erased one. */

/** An unknown run may contain any message. */
export interface MessageRun {
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
}

/**
 * `seqs` are the erased messages, in any order; null means all. A conversation may have many messages and many memories: the
 * seqs are sorted once, and a binary search finds the first one of each run.
 */
export function touchedByErasure<Run extends MessageRun>(
  runs: readonly Run[],
  seqs: readonly number[] | null,
): readonly Run[] {
  if (seqs === null) return runs;
  const sorted = Float64Array.from(seqs).sort();
  return runs.filter(({ firstSeq, lastSeq }) => {
    const next = sorted[firstAtLeast(sorted, firstSeq ?? 0)];
    return next !== undefined && next <= (lastSeq ?? next);
  });
}

/** The index of the first value that is not below `least`. */
function firstAtLeast(sorted: Float64Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
