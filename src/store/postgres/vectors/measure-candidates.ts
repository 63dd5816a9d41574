/** Estimates the server's candidates by their sign bits, and measures them on the vectors themselves. */

import { ESTIMATED_PER_MEASURED } from "../../near-enough.ts";

/** The owner of a vector: its scope or conversation, and its number there. */
export type Candidate = { scope: string; number: number };

/** With its sign bits, as PostgreSQL writes bits. */
export type SignedCandidate = Candidate & { bits: string };

export interface Measured extends Readonly<Candidate> {
  readonly cosine: number;
}

const SET = "1".charCodeAt(0);

/** Those whose sign bits fit the vector best, weighted by its components; estimates more than that many. */
export async function bestByEstimate(
  vector: Float32Array,
  most: number,
  ask: (limit: number) => Promise<readonly SignedCandidate[]>,
): Promise<readonly Candidate[]> {
  const candidates = await ask(most * ESTIMATED_PER_MEASURED);
  if (candidates.length <= most) return candidates;
  return candidates
    .map((candidate) => ({ candidate, estimate: estimateOf(candidate.bits, vector) }))
    .sort((a, b) => b.estimate - a.estimate)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function estimateOf(bits: string, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) if (bits.charCodeAt(i) === SET) sum += vector[i] ?? 0;
  return sum;
}

/** Each owner once, by its nearest passage; the nearest first. Vectors removed meanwhile are missing. */
export async function measure(
  candidates: readonly Candidate[],
  vector: Float32Array,
  vectorsOf: (candidates: readonly Candidate[]) => Promise<readonly (readonly Float32Array[])[]>,
): Promise<Measured[]> {
  const owners = [...new Map(candidates.map((one) => [`${one.number} ${one.scope}`, one])).values()];
  const vectors = owners.length === 0 ? [] : await vectorsOf(owners);
  return owners
    .flatMap(({ scope, number }, i) => {
      const cosine = nearestOf(vectors[i] ?? [], vector);
      return cosine === null ? [] : [{ scope, number, cosine }];
    })
    .sort(byNearness);
}

/** Null if there are none, or they have another length. */
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
