/**
 * Passages as vectors, of memories or of messages: a cache that can be dropped and rebuilt by the model. An owner is
 * identified by its row id, which has the same form for both: its scope or conversation, and its number there.
 */
import { PalimpsestError } from "../../../errors.ts";
import { joinBytes } from "../../../text/bytes.ts";
import type { Database } from "../database.ts";
import type { PackedVectors } from "../packed-commit.ts";
import { packBits, removeBits, VECTORS_IN_A_PAGE } from "./vector-bits.ts";

export type ModelRow = { model_id: number; dimensions: number; packed_to: number; removed: number };

export interface VectorOwners {
  readonly tenant: string;
  readonly owners: "memories" | "messages";
}

export function findModel(
  database: Database,
  { tenant, owners }: VectorOwners,
  model: string,
): ModelRow | undefined {
  return database.one<ModelRow>(
    `SELECT model_id, dimensions, packed_to, removed FROM vector_models
     WHERE tenant = ? AND owners = ? AND model = ?`,
    tenant,
    owners,
    model,
  );
}

/** The owner has no vectors of this model, whose vectors have this length. */
export function keepVectors(
  database: Database,
  { model_id }: ModelRow,
  ownerId: number,
  vectors: readonly Float32Array[],
): void {
  vectors.forEach(({ buffer, byteOffset, byteLength }, passage) => {
    const id = database.insert(
      "INSERT INTO vectors (owner_id, model_id, passage, vector) VALUES (?, ?, ?, ?)",
      ownerId,
      model_id,
      passage,
      new Uint8Array(buffer, byteOffset, byteLength),
    );
    if (id % VECTORS_IN_A_PAGE === 0) packBits(database, model_id);
  });
}

export function requireModel(
  database: Database,
  of: VectorOwners,
  { model, dimensions }: Pick<PackedVectors, "model" | "dimensions">,
): ModelRow {
  const known = findModel(database, of, model);
  if (known?.dimensions === dimensions) return known;
  if (known !== undefined) requireNoVectors(database, known, model, dimensions);
  const row = database.one<ModelRow>(
    `INSERT INTO vector_models (tenant, owners, model, dimensions) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant, owners, model) DO UPDATE SET dimensions = excluded.dimensions
     RETURNING model_id, dimensions, packed_to, removed`,
    of.tenant,
    of.owners,
    model,
    dimensions,
  );
  if (row === undefined) throw new PalimpsestError("internal", "the name of a model could not be stored");
  return row;
}

/** Vectors of two lengths cannot be compared; once none is left, a model may start with another length. */
function requireNoVectors(
  database: Database,
  { model_id, dimensions }: ModelRow,
  model: string,
  wanted: number,
): void {
  const left = database.one("SELECT 1 FROM vectors WHERE model_id = ? LIMIT 1", model_id);
  if (left !== undefined)
    throw new PalimpsestError(
      "invalid-input",
      `stored embeddings from ${model} have ${dimensions} dimensions, but these have ${wanted}`,
      { advice: "Use another model name for embeddings of another length; nothing was written." },
    );
  database.run("DELETE FROM vector_bits WHERE model_id = ?", model_id);
}

type RemovedRow = { vector_id: number; model_id: number };

/** First and last row id of consecutive owners. */
type OwnerRange = readonly [number, number];

/** Of all models, unless one is given. Returns how many there were. */
export function dropVectors(
  database: Database,
  owners: VectorOwners["owners"],
  ranges: readonly OwnerRange[],
  modelId?: number,
): number {
  const removed = new Map<number, number[]>();
  for (const [first, last] of ranges)
    for (const { vector_id, model_id } of database.all<RemovedRow>(
      `DELETE FROM vectors WHERE owner_id BETWEEN ?1 AND ?2 AND (?3 IS NULL OR model_id = ?3)
         AND model_id IN (SELECT model_id FROM vector_models WHERE owners = ?4) RETURNING vector_id, model_id`,
      first,
      last,
      modelId ?? null,
      owners,
    )) {
      const own = removed.get(model_id) ?? [];
      own.push(vector_id);
      removed.set(model_id, own);
    }
  for (const [model, vectors] of removed) removeBits(database, model, vectors);
  return [...removed.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Vectors concatenated in `contents`, this many for each owner. */
export interface PackedVectorPage {
  readonly counts: readonly number[];
  readonly dimensions: number;
  readonly contents: Uint8Array<ArrayBuffer>;
}

export function readVectorsOf(
  database: Database,
  of: VectorOwners,
  model: string,
  ids: readonly (number | undefined)[],
): PackedVectorPage {
  const known = findModel(database, of, model);
  if (known === undefined) return { counts: ids.map(() => 0), dimensions: 0, contents: joinBytes([]) };
  // Sorted here: SQLite would move all vectors to sort them.
  const rows = database
    .all<{ place: number; passage: number; vector: Uint8Array }>(
      `SELECT wanted.key AS place, v.passage, v.vector FROM json_each(?) wanted
       CROSS JOIN vectors v ON v.owner_id = wanted.value AND v.model_id = ?`,
      JSON.stringify(ids.map((id) => id ?? 0)),
      known.model_id,
    )
    .sort((a, b) => a.place - b.place || a.passage - b.passage);
  const counts = ids.map(() => 0);
  for (const { place } of rows) counts[place] = (counts[place] ?? 0) + 1;
  return { counts, dimensions: known.dimensions, contents: joinBytes(rows.map(({ vector }) => vector)) };
}

export function unpackVectors({ counts, dimensions, contents }: PackedVectorPage): Float32Array[][] {
  const floats = new Float32Array(contents.buffer, contents.byteOffset, contents.byteLength / 4);
  let next = 0;
  return counts.map((count) =>
    Array.from({ length: count }, () => {
      next += dimensions;
      return floats.slice(next - dimensions, next);
    }),
  );
}
