/** The signs of a vector's components, one bit each: set if the component is above zero. */

export function setSignBits(vector: Float32Array, bits: Uint32Array, start: number): void {
  for (let word = 0; word * 32 < vector.length; word++) {
    let value = 0;
    const last = Math.min(vector.length - word * 32, 32);
    for (let bit = 0; bit < last; bit++) if ((vector[word * 32 + bit] ?? 0) > 0) value |= 1 << bit;
    bits[start + word] = value;
  }
}
