/**
 * Which segments become one. Only neighbours can: a segment is one run of numbers. Each memory comes into a segment of
 * four times the size whenever it is packed again, so that a million of them are packed a few times each and lie in
 * about twenty segments.
 */
import { sizeOf } from "../../../search/index/segment-indexer.ts";
import type { MemoryRun } from "../../../store/memory-store.ts";

const GROWTH = 4;
/** When a memory is erased, its segment is made again: this bounds the work. */
export const LARGEST_SEGMENT = 65_536;

/** Pure. Neighbours in the order of their numbers; none when there is nothing to merge. */
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

/** What neighbours hold together. */
export function joined(runs: readonly MemoryRun[]): MemoryRun {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError("no runs can be joined");
  return { scope: first.scope, first: first.first, last: last.last };
}

/** The same everywhere, unlike the order of a language. */
export function compareScopes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
