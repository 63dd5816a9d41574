/**
 * The nearest by cosine. The server only proposes candidates: by an index of pgvector where there is one, and otherwise
 * by the signs of the components.
 */
import type { VectorIndex, VectorSet } from "./build-vector-index.ts";
import { type Candidate, candidatesFor, type Measured, measureCandidates } from "./measure-candidates.ts";
import type { VectorIndexes } from "./vector-indexes.ts";

export interface Proposals {
  byIndex(index: VectorIndex, limit: number): Promise<Candidate[]>;
  bySigns(limit: number): Promise<Candidate[]>;
}

export async function findNearest(
  indexes: VectorIndexes,
  set: VectorSet,
  { vector, limit }: { readonly vector: Float32Array; readonly limit: number },
  propose: Proposals,
): Promise<Measured[]> {
  const most = candidatesFor(limit);
  const index = await indexes.find(set);
  if (index !== undefined) {
    const candidates = await propose.byIndex(index, most).catch(() => {
      indexes.forget(index);
      return [];
    });
    const near = measureCandidates(candidates, vector);
    // Filters can leave an index with too little: then all that comes into question is looked at.
    if (near.length >= limit) return near;
  }
  return measureCandidates(await propose.bySigns(most), vector);
}
