/**
 * The sign bits of the active vectors of one model in one scope, cached in this process. They only propose candidates: an
 * erased or replaced vector is missing when it is read.
 */
import { ESTIMATED_PER_MEASURED } from "../../near-enough.ts";
import { LEFT_OUT, leastOfHighest, nearestByDistance, type SignProduct } from "../../signs/hamming.ts";
import { SignMemory } from "../../signs/sign-memory.ts";

/** Vectors with the same number are passages of one memory. */
interface Estimated {
  readonly number: number;
  readonly estimate: number;
}

const NUMBER_BYTES = 8;
const LEAST_ROOM = 64;
/** Most inactive vectors that are kept, in addition to half of all. */
const MOST_GONE = 1_000;

export class ScopeSigns {
  readonly #since = Date.now();
  readonly #dimensions: number;
  readonly #signs: SignMemory;
  /** For each vector the number of its memory; 0 if it is no longer active. */
  #numbers = new Float64Array(0);
  #count = 0;
  #gone = 0;
  #seen = -1;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#signs = new SignMemory(dimensions);
  }

  /** The last change of its scope that is known. */
  get seen(): number {
    return this.#seen;
  }

  /** Vectors, including inactive ones. */
  get count(): number {
    return this.#count;
  }

  /** Whether it is old, or a large part of it is inactive. */
  isWorn(milliseconds: number): boolean {
    return Date.now() - this.#since > milliseconds || this.#gone > MOST_GONE + this.#count / 2;
  }

  /**
   * Adds changed vectors: records of a memory's number, negative if it is not active, and the sign bits as PostgreSQL stores
   * them. All passages of a changed memory are in one call.
   */
  take(records: Buffer, seen: number): void {
    this.#seen = seen;
    const size = NUMBER_BYTES + Math.ceil(this.#dimensions / 8);
    const numbers = new Float64Array(records.length / size);
    for (let i = 0; i < numbers.length; i++) numbers[i] = Number(records.readBigInt64BE(i * size));
    this.leave(numbers.map(Math.abs));
    this.#reserve(this.#count + numbers.length);
    for (const [i, number] of numbers.entries())
      if (number > 0) this.#add(number, records.subarray(i * size + NUMBER_BYTES, (i + 1) * size));
  }

  /** At least this many of the nearest by sign bits, if there are as many, each with an estimate of its cosine. */
  nearest(query: Float32Array, product: SignProduct, wanted: number): Estimated[] {
    const distances = this.#signs.distancesTo(query, this.#count);
    if (this.#gone > 0)
      for (let i = 0; i < this.#count; i++) if (this.#numbers[i] === 0) distances[i] = LEFT_OUT;
    const near = nearestByDistance(distances, this.#count, this.#dimensions, wanted * ESTIMATED_PER_MEASURED);
    const estimates = product.withAll(this.#signs.bits, near);
    const least = leastOfHighest(estimates, wanted);
    const found: Estimated[] = [];
    for (const [i, estimate] of estimates.entries())
      if (estimate >= least) found.push({ number: this.#numbers[near[i] as number] as number, estimate });
    return found;
  }

  /** Drops the entries of these memories, which are out of date. */
  leave(numbers: Iterable<number>): void {
    if (this.#count === 0) return;
    const changed = new Set(numbers);
    for (let i = 0; i < this.#count; i++) {
      if (!changed.has(this.#numbers[i] as number)) continue;
      this.#numbers[i] = 0;
      this.#gone++;
    }
  }

  #add(number: number, signs: Buffer): void {
    const { bits, words } = this.#signs;
    const held = new Uint8Array(bits.buffer, bits.byteOffset + this.#count * words * 4, signs.length);
    for (let byte = 0; byte < signs.length; byte++) held[byte] = REVERSED[signs[byte] as number] as number;
    this.#numbers[this.#count++] = number;
  }

  #reserve(count: number): void {
    if (count <= this.#numbers.length) return;
    const numbers = new Float64Array(Math.max(LEAST_ROOM, Math.ceil(count * 1.5)));
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    this.#signs.reserve(numbers.length);
  }
}

/** PostgreSQL starts with the highest bit of a byte, and this code with the lowest. */
const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) reversed |= 0x80 >> bit;
  return reversed;
});
