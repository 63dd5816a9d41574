/** Comparing signs: how many differ, and which vectors come nearest by that. Pure. */

/** Stands for a vector that is not looked at. */
export const LEFT_OUT = 0xffff;

/** Bytes of a sum stay below 256 for so many groups of three words. */
const GROUPS_IN_A_SUM = 10;

/** Writes how many bits of each vector differ from the query's. `bits` hold `words` words a vector. */
export function countDiffering(
  bits: Uint32Array,
  query: Uint32Array,
  count: number,
  distances: Uint16Array,
): void {
  const words = query.length;
  for (let vector = 0, at = 0; vector < count; vector++) {
    let distance = 0;
    let sum = 0;
    let groups = 0;
    let word = 0;
    for (; word + 2 < words; word += 3, at += 3) {
      const first = inNibbles((bits[at] as number) ^ (query[word] as number));
      const second = inNibbles((bits[at + 1] as number) ^ (query[word + 1] as number));
      const third = inNibbles((bits[at + 2] as number) ^ (query[word + 2] as number));
      const nibbles = (((first + second) | 0) + third) | 0;
      sum = (sum + ((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f))) | 0;
      if (++groups === GROUPS_IN_A_SUM) {
        distance += addBytes(sum);
        sum = 0;
        groups = 0;
      }
    }
    distance += addBytes(sum);
    for (; word < words; word++, at++) {
      const nibbles = inNibbles((bits[at] as number) ^ (query[word] as number));
      distance += addBytes((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f));
    }
    distances[vector] = distance;
  }
}

/** How many bits are set in each half byte. All sums are cut to 32 bits: numbers beyond would be floats, and slow. */
function inNibbles(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}

function addBytes(sum: number): number {
  const halves = (sum & 0x00ff00ff) + ((sum >>> 8) & 0x00ff00ff);
  return (halves + (halves >>> 16)) & 0xffff;
}

/** Places of at least `wanted` vectors, if there are as many: all up to the distance that the last of them has. */
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

/**
 * Estimates of the product of the query with vectors of which only the signs are known: nearer to the truth than the
 * count of bits, because a dimension counts as much as the query has of it. Tables of bytes make it a sum of lookups.
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
