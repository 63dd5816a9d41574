/**
 * The sign bits of all vectors of one model, cached in a thread. It is updated before each query: ids of vectors only rise,
 * so new ones come after the cached ones. Removed vectors stay until there are many; they cannot be found, because each
 * candidate is read from the database before it is returned.
 */
import { setSignBits } from "../../signs/sign-bits.ts";
import { SignMemory } from "../../signs/sign-memory.ts";
import type { Database } from "../database.ts";
import { scopeOfRowId } from "../memory-rows.ts";
import { type BitPage, bitPages, toFloats, vectorsBehind } from "./vector-bits.ts";
import type { ModelRow } from "./vectors.ts";

/** Most removed vectors that are kept, in addition to a tenth of all. */
const MOST_REMOVED = 1_000;

export class BitIndex {
  readonly dimensions: number;
  readonly signs: SignMemory;
  count = 0;
  vectors = new Float64Array(0);
  scopes = new Uint32Array(0);
  readonly #removed: number;
  #last = 0;

  constructor({ dimensions, removed }: ModelRow) {
    this.dimensions = dimensions;
    this.signs = new SignMemory(dimensions);
    this.#removed = removed;
  }

  /** False if it is better to rebuild it. */
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
      setSignBits(toFloats(vector), this.signs.bits, this.count * this.signs.words);
      this.count++;
      this.#last = vector_id;
    }
  }

  #addPage(page: BitPage): void {
    this.#reserve(this.count + page.vectors.length);
    this.vectors.set(page.vectors, this.count);
    this.scopes.set(page.scopes, this.count);
    this.#addSigns(page);
    this.count += page.vectors.length;
  }

  /** A stored page has no gaps between its vectors. */
  #addSigns({ vectors, bits }: BitPage): void {
    const { words, bits: held } = this.signs;
    const stored = bits.length / vectors.length;
    if (stored === words) held.set(bits, this.count * words);
    else
      for (let place = 0; place < vectors.length; place++)
        held.set(bits.subarray(place * stored, (place + 1) * stored), (this.count + place) * words);
  }

  #reserve(count: number): void {
    if (count <= this.vectors.length) return;
    const room = Math.max(4_096, Math.ceil(count * 1.5));
    this.vectors = grown(this.vectors, new Float64Array(room));
    this.scopes = grown(this.scopes, new Uint32Array(room));
    this.signs.reserve(room);
  }
}

function grown<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
