/** Finds the nearest vectors by their sign bits. Pure. */

/** The distance of a vector that is ignored. */
export const LEFT_OUT = 0xffff;

/** Positions of at least `wanted` vectors, if there are as many: all up to the distance of the last of them. */
export function nearestByDistance(
  distances: Uint16Array,
  count: number,
  dimensions: number,
  wanted: number,
): Uint32Array {
  const histogram = new Uint32Array(dimensions + 1);
  for (let i = 0; i < count; i++) {
    const distance = distances[i] as number;
    if (distance !== LEFT_OUT) histogram[distance] = (histogram[distance] as number) + 1;
  }
  let limit = 0;
  let found = histogram[0] as number;
  while (found < wanted && limit < dimensions) found += histogram[++limit] as number;
  const places = new Uint32Array(found);
  for (let i = 0, next = 0; i < count; i++) if ((distances[i] as number) <= limit) places[next++] = i;
  return places;
}

/** The lowest of the `wanted` highest estimates; minus infinity if there are no more than these. */
export function leastOfHighest(estimates: Float32Array, wanted: number): number {
  if (estimates.length <= wanted) return Number.NEGATIVE_INFINITY;
  return estimates.toSorted()[estimates.length - wanted] as number;
}

/**
 * Estimates the product of the query with vectors of which only the sign bits are known. More accurate than the count of
 * bits, because each dimension is weighted by the query's component. Tables indexed by bytes make it a sum of lookups.
 */
export class SignProduct {
  readonly #tables: Float32Array;
  readonly #words: number;

  constructor(query: Float32Array, words: number) {
    this.#words = words;
    this.#tables = new Float32Array(words * 4 * 256);
    for (let byte = 0; byte < words * 4; byte++) this.#fill(query, byte);
  }

  #fill(query: Float32Array, byte: number): void {
    const table = this.#tables.subarray(byte * 256, (byte + 1) * 256);
    let none = 0;
    for (let bit = 0; bit < 8; bit++) none -= query[byte * 8 + bit] ?? 0;
    table[0] = none;
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[value] = (table[value & (value - 1)] as number) + 2 * (query[byte * 8 + lowest] ?? 0);
    }
  }

  withAll(bits: Uint32Array, places: Uint32Array): Float32Array {
    const products = new Float32Array(places.length);
    for (let i = 0; i < places.length; i++) products[i] = this.#with(bits, places[i] as number);
    return products;
  }

  #with(bits: Uint32Array, place: number): number {
    const tables = this.#tables;
    const words = this.#words;
    let sum = 0;
    for (let word = 0, at = place * words, table = 0; word < words; word++, table += 1_024) {
      const value = bits[at + word] as number;
      sum +=
        (tables[table + (value & 255)] as number) +
        (tables[table + 256 + ((value >>> 8) & 255)] as number) +
        (tables[table + 512 + ((value >>> 16) & 255)] as number) +
        (tables[table + 768 + (value >>> 24)] as number);
    }
    return sum;
  }
}
