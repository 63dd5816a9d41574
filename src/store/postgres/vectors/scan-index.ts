/** Queries an HNSW index of pgvector. The scan continues through the graph until enough candidates pass the filters. */
import type { Connections } from "../connections.ts";
import type { VectorIndex } from "./build-vector-index.ts";
import type { Candidate } from "./measure-candidates.ts";

/** More lets an index answer with better neighbours, and takes longer. */
const SEARCH_BREADTH = 400;

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
