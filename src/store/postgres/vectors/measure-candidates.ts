/**
 * What the server proposes as near is measured here, on the vectors themselves: whichever way it was found, it gets the
 * same number and the same place.
 */
import { fromBase64 } from "./vector-bytes.ts";

/** A passage: where its owner lies, and its number there. */
export type Candidate = { scope: string; number: number; vector: string };

export interface Measured {
  readonly scope: string;
  readonly number: number;
  readonly cosine: number;
}

const LEAST_CANDIDATES = 400;
/** An owner may have several passages among the candidates. */
const CANDIDATES_FOR_EACH = 4;

export function candidatesFor(limit: number): number {
  return Math.max(LEAST_CANDIDATES, limit * CANDIDATES_FOR_EACH);
}

/** Each owner once, by its nearest passage; the nearest first. */
export function measureCandidates(candidates: readonly Candidate[], vector: Float32Array): Measured[] {
  const nearest = new Map<string, Measured>();
  for (const { scope, number, vector: sent } of candidates) {
    const cosine = cosineOf(vector, fromBase64(sent));
    const name = `${number} ${scope}`;
    if (cosine > (nearest.get(name)?.cosine ?? -2)) nearest.set(name, { scope, number, cosine });
  }
  return [...nearest.values()].sort(byNearness);
}

/** Null where there is none, or where they are of another length. */
export function nearestOf(passages: readonly Float32Array[], vector: Float32Array): number | null {
  if (passages[0]?.length !== vector.length) return null;
  return Math.max(...passages.map((passage) => cosineOf(vector, passage)));
}

function byNearness(a: Measured, b: Measured): number {
  if (a.cosine !== b.cosine) return b.cosine - a.cosine;
  if (a.scope !== b.scope) return a.scope < b.scope ? -1 : 1;
  return a.number - b.number;
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
