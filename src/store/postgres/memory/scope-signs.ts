/**
 * The signs of the vectors of one model that are in force in one scope, held by this process. They only propose: what was
 * erased or replaced since is not there when its vector is read.
 */
import { ESTIMATED_PER_MEASURED } from "../../near-enough.ts";
import { LEFT_OUT, leastOfHighest, nearestByDistance, type SignProduct } from "../../signs/hamming.ts";
import { SignMemory } from "../../signs/sign-memory.ts";

/** Vectors with the same number are passages of one memory. */
export interface Estimated {
  readonly number: number;
  readonly estimate: number;
}

const NUMBER_BYTES = 8;
const LEAST_ROOM = 64;
/** Vectors that are not in force any more and still held at most, beside half of all. */
const MOST_GONE = 1_000;

export class ScopeSigns {
  readonly #since = Date.now();
  readonly #dimensions: number;
  readonly #signs: SignMemory;
  /** Of each vector the number of its memory; 0 where it is not in force any more. */
  #numbers = new Float64Array(0);
  #count = 0;
  #gone = 0;
  #seen = -1;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#signs = new SignMemory(dimensions);
  }

  /** The change of its scope up to which all are known. */
  get seen(): number {
    return this.#seen;
  }

  /** Vectors, with those that are not in force any more. */
  get count(): number {
    return this.#count;
  }

  /** It is old, or much of it is of no use any more. */
  isWorn(milliseconds: number): boolean {
    return Date.now() - this.#since > milliseconds || this.#gone > MOST_GONE + this.#count / 2;
  }

  /**
   * Takes changed vectors in: records of a memory's number, below zero where it is not in force, and the signs as
   * PostgreSQL keeps them. All passages of a memory that has changed are in one call.
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

  /** At least so many of the nearest by their signs, if there are as many, with an estimate of how near each is. */
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

  /** What is known of these memories is not so any more. */
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

/** PostgreSQL begins with the highest bit of a byte, and we with the lowest. */
const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) reversed |= 0x80 >> bit;
  return reversed;
});
