/**
 * The signs of all vectors of one model, held by a thread. It is brought up to date before each question: ids of vectors
 * only rise, so what is new stands behind what is held. What was removed meanwhile stays until it is much; it cannot be
 * found, because each candidate is read from the database before it is given.
 */
import type { Database } from "./database.ts";
import { scopeOfRowId } from "./memory-rows.ts";
import { type BitPage, bitPages, setSignBits, toFloats, vectorsBehind, wordsFor } from "./vector-bits.ts";
import type { ModelRow } from "./vectors.ts";

/** Removed vectors that are held at most, beside a tenth of all. */
const MOST_REMOVED = 1_000;

export class BitIndex {
  readonly dimensions: number;
  readonly words: number;
  count = 0;
  vectors = new Float64Array(0);
  scopes = new Uint32Array(0);
  bits = new Uint32Array(0);
  readonly #removed: number;
  #last = 0;

  constructor({ dimensions, removed }: ModelRow) {
    this.dimensions = dimensions;
    this.words = wordsFor(dimensions);
    this.#removed = removed;
  }

  /** False when it is better made anew. */
  isGoodFor({ dimensions, removed }: ModelRow): boolean {
    return dimensions === this.dimensions && removed - this.#removed <= MOST_REMOVED + this.count / 10;
  }

  catchUp(database: Database, { model_id, packed_to }: ModelRow): void {
    if (this.#last === 0) {
      for (const page of bitPages(database, model_id)) this.#addPage(page);
      this.#last = packed_to;
    }
    for (const { vector_id, owner_id, vector } of vectorsBehind(database, model_id, this.#last)) {
      this.#reserve(this.count + 1);
      this.vectors[this.count] = vector_id;
      this.scopes[this.count] = scopeOfRowId(owner_id);
      setSignBits(toFloats(vector), this.bits, this.count * this.words);
      this.count++;
      this.#last = vector_id;
    }
  }

  #addPage(page: BitPage): void {
    this.#reserve(this.count + page.vectors.length);
    this.vectors.set(page.vectors, this.count);
    this.scopes.set(page.scopes, this.count);
    this.bits.set(page.bits, this.count * this.words);
    this.count += page.vectors.length;
  }

  #reserve(count: number): void {
    if (count <= this.vectors.length) return;
    const room = Math.max(4_096, Math.ceil(count * 1.5));
    this.vectors = grown(this.vectors, new Float64Array(room));
    this.scopes = grown(this.scopes, new Uint32Array(room));
    this.bits = grown(this.bits, new Uint32Array(room * this.words));
  }
}

function grown<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
