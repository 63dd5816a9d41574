/**
 * The sign bits of vectors in pages. A page is written once there are enough vectors, and never grows; bits of removed
 * vectors are set to zero, so that nothing of an erased text stays.
 */
import { setSignBits } from "../../signs/sign-bits.ts";
import type { Database } from "../database.ts";
import { scopeOfRowId } from "../memory-rows.ts";

export const VECTORS_IN_A_PAGE = 2_048;

export interface BitPage {
  /** 0 for a removed vector. */
  readonly vectors: Float64Array;
  readonly scopes: Uint32Array;
  readonly bits: Uint32Array;
}

export function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

export function toFloats(bytes: Uint8Array): Float32Array {
  const isAligned = bytes.byteOffset % 4 === 0;
  const { buffer, byteOffset, byteLength } = isAligned ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}

type VectorRow = { vector_id: number; owner_id: number; vector: Uint8Array };

/** Those after a vector, oldest first. */
export function vectorsBehind(
  database: Database,
  modelId: number,
  behind: number,
): IterableIterator<VectorRow> {
  return database.iterate<VectorRow>(
    "SELECT vector_id, owner_id, vector FROM vectors WHERE model_id = ? AND vector_id > ? ORDER BY vector_id",
    modelId,
    behind,
  );
}

/** Packs vectors that are in no page yet into whole pages. */
export function packBits(database: Database, modelId: number): void {
  for (;;) {
    const model = database.one<{ dimensions: number; packed_to: number }>(
      "SELECT dimensions, packed_to FROM vector_models WHERE model_id = ?",
      modelId,
    );
    if (model === undefined) return;
    const rows = database.all<VectorRow>(
      `SELECT vector_id, owner_id, vector FROM vectors WHERE model_id = ? AND vector_id > ?
       ORDER BY vector_id LIMIT ?`,
      modelId,
      model.packed_to,
      VECTORS_IN_A_PAGE,
    );
    if (rows.length < VECTORS_IN_A_PAGE) return;
    insertPage(database, modelId, model.dimensions, rows);
  }
}

/** More than any cache tolerates: all of them are rebuilt. */
const REMOVED_FOR_ALL = 2 ** 32;

/** Rebuilds all pages from the vectors. */
export function remakeBits(database: Database, modelId: number): void {
  database.run("DELETE FROM vector_bits WHERE model_id = ?", modelId);
  database.run(
    "UPDATE vector_models SET packed_to = 0, removed = removed + ? WHERE model_id = ?",
    REMOVED_FOR_ALL,
    modelId,
  );
  packBits(database, modelId);
}

function insertPage(
  database: Database,
  modelId: number,
  dimensions: number,
  rows: readonly VectorRow[],
): void {
  const words = wordsFor(dimensions);
  const page = {
    vectors: Float64Array.from(rows, ({ vector_id }) => vector_id),
    scopes: Uint32Array.from(rows, ({ owner_id }) => scopeOfRowId(owner_id)),
    bits: new Uint32Array(rows.length * words),
  };
  rows.forEach(({ vector }, index) => {
    setSignBits(toFloats(vector), page.bits, index * words);
  });
  const first = rows[0]?.vector_id ?? 0;
  database.run(
    "INSERT INTO vector_bits VALUES (?, ?, ?, ?, ?)",
    modelId,
    first,
    ...[page.vectors, page.scopes, page.bits].map((part) => new Uint8Array(part.buffer)),
  );
  database.run(
    "UPDATE vector_models SET packed_to = ? WHERE model_id = ?",
    rows.at(-1)?.vector_id ?? first,
    modelId,
  );
}

type PageRow = { first_vector: number; vectors: Uint8Array; scopes: Uint8Array; bits: Uint8Array };

export function* bitPages(database: Database, modelId: number): Generator<BitPage> {
  for (const row of database.iterate<PageRow>(
    "SELECT first_vector, vectors, scopes, bits FROM vector_bits WHERE model_id = ? ORDER BY first_vector",
    modelId,
  ))
    yield toPage(row);
}

/** Copied, so that they are aligned for their type. */
function toPage({ vectors, scopes, bits }: PageRow): BitPage {
  return {
    vectors: new Float64Array(vectors.slice().buffer),
    scopes: new Uint32Array(scopes.slice().buffer),
    bits: new Uint32Array(bits.slice().buffer),
  };
}

/** Sets removed bits to zero, and counts them for the caches. */
export function removeBits(database: Database, modelId: number, vectors: readonly number[]): void {
  const pages = new Map<number, number[]>();
  for (const vector of vectors) {
    const page = database.one<{ first_vector: number }>(
      `SELECT first_vector FROM vector_bits WHERE model_id = ? AND first_vector <= ?
       ORDER BY first_vector DESC LIMIT 1`,
      modelId,
      vector,
    );
    if (page !== undefined) pages.set(page.first_vector, [...(pages.get(page.first_vector) ?? []), vector]);
  }
  for (const [first, removed] of pages) zeroInPage(database, modelId, first, removed);
  database.run("UPDATE vector_models SET removed = removed + ? WHERE model_id = ?", vectors.length, modelId);
}

function zeroInPage(database: Database, modelId: number, first: number, removed: readonly number[]): void {
  const row = database.one<PageRow>(
    "SELECT first_vector, vectors, scopes, bits FROM vector_bits WHERE model_id = ? AND first_vector = ?",
    modelId,
    first,
  );
  if (row === undefined) return;
  const { vectors, bits } = toPage(row);
  const words = bits.length / vectors.length;
  const places = removed.map((vector) => vectors.indexOf(vector)).filter((place) => place >= 0);
  if (places.length === 0) return;
  for (const place of places) {
    vectors[place] = 0;
    bits.fill(0, place * words, (place + 1) * words);
  }
  database.run(
    "UPDATE vector_bits SET vectors = ?, bits = ? WHERE model_id = ? AND first_vector = ?",
    new Uint8Array(vectors.buffer),
    new Uint8Array(bits.buffer),
    modelId,
    first,
  );
}
