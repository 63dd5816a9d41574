/** The nearest memories by cosine. */
import type { NearestQuery, NearMemory } from "../../memory-store.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import type { Connections } from "../connections.ts";
import { bestByEstimate } from "../vectors/measure-candidates.ts";
import { findNearest } from "../vectors/nearest.ts";
import type { VectorIndexes } from "../vectors/vector-indexes.ts";
import { candidatesByIndex } from "./candidates-by-index.ts";
import { candidatesBySigns } from "./candidates-by-signs.ts";
import type { HeldSigns } from "./held-signs.ts";
import { readVectors } from "./read-vectors.ts";

/** What serves all questions of a process. */
export interface NearMemories {
  readonly indexes: VectorIndexes;
  readonly signs: HeldSigns;
}

export async function nearestMemories(
  connections: Connections,
  { indexes, signs }: NearMemories,
  access: MemoryScopes,
  query: NearestQuery,
): Promise<NearMemory[]> {
  const { model, vector, limit, least = -2 } = query;
  let isStale = false;
  const find = () =>
    findNearest(indexes, { owners: "memory", model, dimensions: vector.length }, query, {
      byHeldSigns: (most) => signs.candidates(access, query, most),
      byIndex: (index, most) => candidatesByIndex(connections, index, access, query, most),
      bySigns: (most) =>
        bestByEstimate(vector, most, (limit) =>
          connections.read((session) => candidatesBySigns(session, access, query, limit)),
        ),
      vectorsOf: async (refs) => {
        const vectors = await connections.read((session) => readVectors(session, access, model, refs));
        const missing = refs.filter((_, i) => vectors[i]?.length === 0);
        isStale = signs.noteMissing(access, query, missing, refs.length);
        return vectors;
      },
    });
  const found = await find();
  const near = isStale ? await find() : found;
  return near
    .filter(({ cosine }) => cosine >= least)
    .slice(0, limit)
    .map(({ scope, number, cosine }) => ({ ref: { scope, number }, cosine }));
}
