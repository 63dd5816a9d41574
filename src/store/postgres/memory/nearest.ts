/** The nearest memories by cosine. */
import type { MemoryAccess, NearestQuery, NearMemory } from "../../memory-store.ts";
import type { Connections } from "../connections.ts";
import { findNearest } from "../vectors/nearest.ts";
import type { VectorIndexes } from "../vectors/vector-indexes.ts";
import { candidatesByIndex } from "./candidates-by-index.ts";
import { candidatesBySigns } from "./candidates-by-signs.ts";
import { readVectors } from "./read-vectors.ts";

export async function nearestMemories(
  connections: Connections,
  indexes: VectorIndexes,
  access: MemoryAccess,
  query: NearestQuery,
): Promise<NearMemory[]> {
  const { model, vector, limit, least = -2 } = query;
  const near = await findNearest(indexes, { owners: "memory", model, dimensions: vector.length }, query, {
    byIndex: (index, most) => candidatesByIndex(connections, index, access, query, most),
    bySigns: (most) => connections.read((session) => candidatesBySigns(session, access, query, most)),
    vectorsOf: (refs) => connections.read((session) => readVectors(session, access, model, refs)),
  });
  return near
    .filter(({ cosine }) => cosine >= least)
    .slice(0, limit)
    .map(({ scope, number, cosine }) => ({ ref: { scope, number }, cosine }));
}
