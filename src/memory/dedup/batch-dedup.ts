/** Removes duplicate candidates of one extraction: the first stays. At most five are compared; the others wait. */
import { cosine, type Vector } from "../cosine.ts";

const BATCH_DEDUP: { readonly above: number; readonly most: number } = { above: 0.85, most: 5 };

interface BatchDedup {
  /** Positions of candidates that stay. */
  readonly kept: readonly number[];
  readonly dropped: readonly {
    readonly index: number;
    readonly duplicateOf: number | null;
    readonly cosine: number | null;
    readonly reason: string;
  }[];
}

/** Vectors of the abstracts, in the order of the candidates; null where there is none. */
export function dedupBatch(vectors: readonly (Vector | null)[], { above, most } = BATCH_DEDUP): BatchDedup {
  const kept: number[] = [];
  const dropped: BatchDedup["dropped"][number][] = [];
  for (const [index, vector] of vectors.entries()) {
    if (index >= most) {
      dropped.push({
        index,
        duplicateOf: null,
        cosine: null,
        reason: `At most ${most} candidates are compared at a time.`,
      });
      continue;
    }
    const twin = kept
      .map((at) => ({ at, near: nearness(vector, vectors[at] ?? null) }))
      .find(({ near }) => near > above);
    if (twin === undefined) kept.push(index);
    else
      dropped.push({ index, duplicateOf: twin.at, cosine: twin.near, reason: repeats(twin.at, twin.near) });
  }
  return { kept, dropped };
}

function nearness(a: Vector | null, b: Vector | null): number {
  return a === null || b === null ? 0 : cosine(a, b);
}

function repeats(at: number, near: number): string {
  return `Repeats candidate ${at + 1} of the same batch (cosine ${near.toFixed(3)}).`;
}
