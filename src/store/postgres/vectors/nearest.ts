/**
 * The nearest by cosine. Candidates come from the signs that this process holds; where it holds none, from an index of
 * pgvector; where there is no index, from a scan of all signs. Whichever way they were found, they are measured on the vectors.
 */
import { measuredFor } from "../../near-enough.ts";
import type { Connections } from "../connections.ts";
import type { VectorIndex, VectorSet } from "./build-vector-index.ts";
import { type Candidate, type Measured, measure } from "./measure-candidates.ts";
import type { VectorIndexes } from "./vector-indexes.ts";

export interface Proposals {
  /** Undefined where they are not held. */
  byHeldSigns?(most: number): Promise<readonly Candidate[] | undefined>;
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
  const held = await propose.byHeldSigns?.(measuredFor(limit));
  if (held !== undefined) return measure(held, vector, propose.vectorsOf);
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

/** More lets an index answer with better neighbours, and takes longer. */
const SEARCH_BREADTH = 400;

/** Queries an HNSW index of pgvector. The scan continues through the graph until enough candidates pass the filters. */
export function scanIndex(
  connections: Connections,
  { scansOn }: VectorIndex,
  statement: string,
  values: readonly unknown[],
): Promise<Candidate[]> {
  return connections.write(async (transaction) => {
    transaction.send(`SET LOCAL hnsw.ef_search = ${SEARCH_BREADTH}`);
    // Known from pgvector 0.8 on. Before it, what the filters leave may be too little, and the signs are asked.
    if (scansOn) transaction.send("SET LOCAL hnsw.iterative_scan = relaxed_order");
    return transaction.rows<Candidate>(statement, ...values);
  });
}
