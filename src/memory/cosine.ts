/** The similarity of two vectors: 1 for the same direction, 0 for unrelated ones. Empty vectors and vectors of different lengths are unrelated. */
export type Vector = Float32Array | readonly number[];

export function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length) return 0;
  let [dot, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  const lengths = Math.sqrt(squareA * squareB);
  return lengths > 0 ? dot / lengths : 0;
}
