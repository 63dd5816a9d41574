/**
 * Chooses adjacent segments to merge, since a segment is one run of numbers. Each merge moves a memory to a segment of
 * four times the size, so that a million memories are packed a few times each and are stored in
 * about twenty segments.
 */
import { sizeOf } from "../../../search/index/segment-indexer.ts";
import type { MemoryRun } from "../../../store/memory-store.ts";

const GROWTH = 4;
/** An erasure rebuilds the segment of the memory; this limits the work. */
export const LARGEST_SEGMENT = 65_536;

/** Pure. Adjacent runs in the order of their numbers; empty when there is nothing to merge. */
export function chooseMerge<Run extends MemoryRun>(runs: readonly Run[]): readonly Run[] {
  for (const chain of chainsOf(runs))
    for (let start = 0; start < chain.length; start++) {
      const window = windowFrom(chain, start);
      if (window.length > 0) return window;
    }
  return [];
}

/** Runs of a scope that follow each other without a gap. */
function chainsOf<Run extends MemoryRun>(runs: readonly Run[]): Run[][] {
  const sorted = runs.toSorted((a, b) => compareScopes(a.scope, b.scope) || a.first - b.first);
  const chains: Run[][] = [];
  for (const run of sorted) {
    const before = chains.at(-1)?.at(-1);
    if (before?.scope === run.scope && before.last + 1 === run.first) chains.at(-1)?.push(run);
    else chains.push([run]);
  }
  return chains;
}

function windowFrom<Run extends MemoryRun>(chain: readonly Run[], start: number): readonly Run[] {
  let sum = 0;
  let largest = 0;
  for (let end = start; end < chain.length; end++) {
    const run = chain[end];
    if (run === undefined) break;
    const size = sizeOf(run);
    sum += size;
    largest = Math.max(largest, size);
    if (sum > LARGEST_SEGMENT) return [];
    if (sum >= GROWTH * largest) return chain.slice(start, end + 1);
  }
  return [];
}

/** The union of adjacent runs. */
export function joined(runs: readonly MemoryRun[]): MemoryRun {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError("no runs can be joined");
  return { scope: first.scope, first: first.first, last: last.last };
}

/** A fixed order, unlike the order of a locale. */
export function compareScopes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
