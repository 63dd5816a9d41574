/** Weights as small whole numbers, each row of them with a scale of its own. */
interface Quantised {
  /** Turned round: as many columns as there were rows. */
  readonly whole: Int8Array;
  readonly scales: Float32Array;
}

/**
 * Seven bits and not eight: processors without instructions made for this add two products in 16 bits, which overflow with
 * eight. So every processor gives the same sums.
 */
const LARGEST = 63;

export function quantise(weights: Float32Array, rows: number): Quantised {
  const columns = weights.length / rows;
  const whole = new Int8Array(weights.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const scale = scaleOf(weights, row * columns, (row + 1) * columns);
    scales[row] = scale;
    for (let column = 0; column < columns; column++)
      whole[column * rows + row] = Math.round((weights[row * columns + column] ?? 0) / scale);
  }
  return { whole, scales };
}

function scaleOf(weights: Float32Array, start: number, end: number): number {
  let largest = 0;
  for (let at = start; at < end; at++) largest = Math.max(largest, Math.abs(weights[at] ?? 0));
  return largest === 0 ? 1 : largest / LARGEST;
}
