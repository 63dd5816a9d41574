/**
 * The nearest by cosine. The server only proposes candidates: by an index of pgvector where there is one, and otherwise
 * by the signs of the components. Whichever way they were found, they are measured on the vectors themselves.
 */
import { measuredFor } from "../../near-enough.ts";
import type { VectorIndex, VectorSet } from "./build-vector-index.ts";
import { type Candidate, type Measured, measure } from "./measure-candidates.ts";
import type { VectorIndexes } from "./vector-indexes.ts";

export interface Proposals {
  byIndex(index: VectorIndex, limit: number): Promise<Candidate[]>;
  /** At most so many, those that fit best by what their signs say. */
  bySigns(most: number): Promise<readonly Candidate[]>;
  /** The vectors of each, in their order. */
  vectorsOf(candidates: readonly Candidate[]): Promise<readonly (readonly Float32Array[])[]>;
}

/** An index knows the order; an owner may have several passages. */
const LEAST_BY_INDEX = 64;
const BY_INDEX_FOR_EACH = 2;

export async function findNearest(
  indexes: VectorIndexes,
  set: VectorSet,
  { vector, limit }: { readonly vector: Float32Array; readonly limit: number },
  propose: Proposals,
): Promise<Measured[]> {
  const index = await indexes.find(set);
  if (index !== undefined) {
    const most = Math.max(LEAST_BY_INDEX, limit * BY_INDEX_FOR_EACH);
    const candidates = await propose.byIndex(index, most).catch(() => {
      indexes.forget(index);
      return [];
    });
    const near = await measure(candidates, vector, propose.vectorsOf);
    // Filters can leave an index with too little: then all that comes into question is looked at.
    if (near.length >= limit) return near;
  }
  return measure(await propose.bySigns(measuredFor(limit)), vector, propose.vectorsOf);
}
