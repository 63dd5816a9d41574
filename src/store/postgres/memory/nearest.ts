/**
 * The nearest memories by cosine. The server only proposes candidates: by an index of pgvector where there is one, and
 * otherwise by the signs of the components. What is told is measured here, on the vectors themselves, so both ways give
 * the same numbers in the same order.
 */
import type { MemoryAccess, NearestQuery, NearMemory } from "../../memory-store.ts";
import type { Connections } from "../connections.ts";
import { candidatesByIndex } from "./candidates-by-index.ts";
import { candidatesBySigns } from "./candidates-by-signs.ts";
import { fromBase64 } from "./vector-bytes.ts";
import type { VectorIndexes } from "./vector-indexes.ts";

export type Candidate = { scope: string; number: number; vector: string };

const LEAST_CANDIDATES = 400;
/** A memory may have several passages among the candidates. */
const CANDIDATES_FOR_EACH = 4;

export async function nearestMemories(
  connections: Connections,
  indexes: VectorIndexes,
  access: MemoryAccess,
  query: NearestQuery,
): Promise<NearMemory[]> {
  const limit = Math.max(LEAST_CANDIDATES, query.limit * CANDIDATES_FOR_EACH);
  const index = await indexes.find(query.model, query.vector.length);
  if (index !== undefined) {
    const candidates = await candidatesByIndex(connections, index, access, query, limit).catch(() => {
      indexes.forget(index);
      return [];
    });
    const near = measure(candidates, query);
    // Filters can leave an index with too little: then all that comes into question is looked at.
    if (near.length >= query.limit) return wanted(near, query);
  }
  const candidates = await connections.read((session) => candidatesBySigns(session, access, query, limit));
  return wanted(measure(candidates, query), query);
}

function wanted(near: readonly NearMemory[], { limit, least = -2 }: NearestQuery): NearMemory[] {
  return near.filter(({ cosine }) => cosine >= least).slice(0, limit);
}

/** Each memory once, by its nearest passage. */
function measure(candidates: readonly Candidate[], { vector }: NearestQuery): NearMemory[] {
  const nearest = new Map<string, NearMemory>();
  for (const { scope, number, vector: sent } of candidates) {
    const cosine = cosineOf(vector, fromBase64(sent));
    const name = `${number} ${scope}`;
    if (cosine > (nearest.get(name)?.cosine ?? -2)) nearest.set(name, { ref: { scope, number }, cosine });
  }
  return [...nearest.values()].sort(byNearness);
}

/** Null where there is none, or where they are of another length. */
export function nearestOf(passages: readonly Float32Array[], vector: Float32Array): number | null {
  if (passages[0]?.length !== vector.length) return null;
  return Math.max(...passages.map((passage) => cosineOf(vector, passage)));
}

function byNearness(a: NearMemory, b: NearMemory): number {
  if (a.cosine !== b.cosine) return b.cosine - a.cosine;
  if (a.ref.scope !== b.ref.scope) return a.ref.scope < b.ref.scope ? -1 : 1;
  return a.ref.number - b.ref.number;
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    product += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb);
}
