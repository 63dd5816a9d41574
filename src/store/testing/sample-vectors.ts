/** Vectors of length 1 that are the same in every run. */

/** A small generator of numbers from 0 to 1: tests must not depend on randomness. */
function numbersFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Uses the Box-Muller transform. */
function normalFrom(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

function toLengthOne(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

export function unitVector(seed: number, dimensions: number): Float32Array {
  const next = numbersFrom(seed);
  return toLengthOne(Float32Array.from({ length: dimensions }, () => normalFrom(next)));
}

/** Points around centres, like texts about few subjects. `skip` returns other points around the same centres. */
export function clusteredVectors(options: {
  readonly count: number;
  readonly clusters: number;
  readonly dimensions: number;
  readonly seed: number;
  readonly skip?: number;
}): Float32Array[] {
  const { count, clusters, dimensions, seed, skip = 0 } = options;
  const centres = Array.from({ length: clusters }, (_, i) => unitVector(seed * 1_000 + i, dimensions));
  return Array.from({ length: count }, (_, index) => {
    const number = index + skip;
    const centre = centres[number % clusters] ?? new Float32Array(dimensions);
    const noise = unitVector(seed * 1_000_003 + number, dimensions);
    return toLengthOne(centre.map((value, i) => value + (noise[i] ?? 0)));
  });
}

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
