/** A segment that can be searched, and which memories it holds. */

import type { PackedSegment } from "../../../search/index/packed-segment.ts";
import type { MemoryRef, MemoryRun } from "../../../store/memory-store.ts";
import { compareScopes } from "./choose-merge.ts";

export interface PlacedSegment extends MemoryRun {
  readonly view: PackedSegment;
}

export function inOrder(segments: readonly PlacedSegment[]): readonly PlacedSegment[] {
  return segments.toSorted((a, b) => compareScopes(a.scope, b.scope) || a.first - b.first);
}

/** Where in the ordered list the segment of a memory stands; -1 when none holds it. */
export function placeOf(segments: readonly PlacedSegment[], { scope, number }: MemoryRef): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const segment = segments[middle];
    if (segment === undefined) return -1;
    const order = compareScopes(segment.scope, scope) || segment.first - number;
    if (order <= 0) low = middle + 1;
    else high = middle;
  }
  const found = segments[low - 1];
  return found !== undefined && found.scope === scope && number <= found.last ? low - 1 : -1;
}
