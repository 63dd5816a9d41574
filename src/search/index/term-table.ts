/**
 * Words and their numbers, counted from 0. A word is looked up at its position in a text, without creating a substring:
 * each segment looks up half a million words, and nearly all of them are known.
 */
import type { Term } from "../terms.ts";

/** The maximum load factor. */
const LOAD = 0.5;
const FREE = -1;
/** In words, a power of two. Small, because many segments begin with a single document; it doubles when full. */
const FIRST_ROOM = 512;
/** The maximum number of UTF-8 bytes for a UTF-16 code unit. */
const BYTES_A_UNIT = 3;
const encoder = new TextEncoder();

export class TermTable {
  #slots = new Int32Array(2 * FIRST_ROOM).fill(FREE);
  /** By number: the hash, and the end of the word's letters in the shared buffer. */
  #hashes = new Int32Array(FIRST_ROOM);
  #ends = new Int32Array(FIRST_ROOM);
  #letters = new Uint16Array(8 * FIRST_ROOM);
  #size = 0;

  /** The number of the word between two positions. ASCII capitals are folded to lower case. */
  numberOf(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const number = this.#slots[slot] ?? FREE;
      if (number === FREE) return this.#add(text, start, end, hash, slot);
      if (this.#hashes[number] === hash && this.#holds(number, text, start, end)) return number;
      slot = (slot + 1) & mask;
    }
  }

  /** The words whose numbers are wanted, each as its kind and the UTF-8 bytes of its letters. */
  terms(kind: number, isWanted: (number: number) => boolean): { term: Term; number: number }[] {
    const terms: { term: Term; number: number }[] = [];
    const bytes = new Uint8Array(this.#size + BYTES_A_UNIT * (this.#ends[this.#size - 1] ?? 0));
    let end = 0;
    for (let number = 0; number < this.#size; number++) {
      if (!isWanted(number)) continue;
      const start = end;
      bytes[end++] = kind;
      end = this.#writeLetters(number, bytes, end);
      terms.push({ term: bytes.subarray(start, end), number });
    }
    return terms;
  }

  /** Returns the position after the letters. */
  #writeLetters(number: number, bytes: Uint8Array, position: number): number {
    const letters = this.#letters.subarray(this.#startOf(number), this.#ends[number]);
    if (letters.some((unit) => unit >= 128))
      return position + encoder.encodeInto(String.fromCharCode(...letters), bytes.subarray(position)).written;
    bytes.set(letters, position);
    return position + letters.length;
  }

  /** The start of the word's letters in the shared buffer. */
  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  #holds(number: number, text: string, start: number, end: number): boolean {
    const first = this.#startOf(number);
    if ((this.#ends[number] ?? 0) - first !== end - start) return false;
    for (let i = start; i < end; i++)
      if (this.#letters[first + i - start] !== small(text.charCodeAt(i))) return false;
    return true;
  }

  #add(text: string, start: number, end: number, hash: number, slot: number): number {
    const number = this.#size++;
    const first = this.#startOf(number);
    const last = first + end - start;
    while (last > this.#letters.length)
      this.#letters = copied(this.#letters, new Uint16Array(2 * this.#letters.length));
    if (number === this.#ends.length) {
      this.#hashes = copied(this.#hashes, new Int32Array(2 * number));
      this.#ends = copied(this.#ends, new Int32Array(2 * number));
    }
    for (let i = start; i < end; i++) this.#letters[first + i - start] = small(text.charCodeAt(i));
    this.#hashes[number] = hash;
    this.#ends[number] = last;
    this.#slots[slot] = number;
    if (this.#size > LOAD * this.#slots.length) this.#spread();
    return number;
  }

  /** Rehashes into twice as many slots. */
  #spread(): void {
    const slots = new Int32Array(2 * this.#slots.length).fill(FREE);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = (this.#hashes[number] ?? 0) & mask;
      while (slots[slot] !== FREE) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#slots = slots;
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ small(text.charCodeAt(i)), 0x01000193);
  return hash ^ (hash >>> 15);
}

function small(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

function copied<Numbers extends Int32Array | Uint16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
