/**
 * The nearest owners by cosine. Candidates come from the sign bits cached in this process; without these, from an index of
 * pgvector; without an index, from a scan of all sign bits. All candidates are measured on their vectors.
 */
import { measuredFor } from "../../near-enough.ts";
import type { Connections } from "../connections.ts";
import type { VectorIndex, VectorSet } from "./build-vector-index.ts";
import { type Candidate, type Measured, measure } from "./measure-candidates.ts";
import type { VectorIndexes } from "./vector-indexes.ts";

interface Proposals {
  /** Undefined if they are not cached. */
  byHeldSigns?(most: number): Promise<readonly Candidate[] | undefined>;
  byIndex(index: VectorIndex, limit: number): Promise<Candidate[]>;
  /** At most this many, those with the best sign bits. */
  bySigns(most: number): Promise<readonly Candidate[]>;
  /** The vectors of each candidate, in the same order. */
  vectorsOf(candidates: readonly Candidate[]): Promise<readonly (readonly Float32Array[])[]>;
}

/** An index returns vectors in order; an owner may have several passages. */
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
    // Filters can leave an index with too few results: then all sign bits are scanned.
    if (near.length >= limit) return near;
  }
  return measure(await propose.bySigns(measuredFor(limit)), vector, propose.vectorsOf);
}

/** A larger value lets an index return better neighbours, but takes longer. */
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
    // Supported from pgvector 0.8 on. Before it, too few results may pass the filters, and the sign bits are scanned.
    if (scansOn) transaction.send("SET LOCAL hnsw.iterative_scan = relaxed_order");
    return transaction.rows<Candidate>(statement, ...values);
  });
}
