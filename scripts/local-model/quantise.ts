/** Quantises weights to 8-bit integers, with a scale per row. */
interface Quantised {
  readonly whole: Int8Array;
  readonly scales: Float32Array;
}

const LARGEST = 127;

export function quantise(weights: Float32Array, rows: number): Quantised {
  const columns = weights.length / rows;
  const whole = new Int8Array(weights.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const values = weights.subarray(row * columns, (row + 1) * columns);
    const scale = scaleOf(values);
    scales[row] = scale;
    whole.set(
      values.map((value) => Math.round(value / scale)),
      row * columns,
    );
  }
  return { whole, scales };
}

/** Rows become columns. */
export function transpose(whole: Int8Array, rows: number): Int8Array {
  const columns = whole.length / rows;
  const turned = new Int8Array(whole.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = whole[row * columns + column] ?? 0;
  return turned;
}

function scaleOf(values: Float32Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest === 0 ? 1 : largest / LARGEST;
}
