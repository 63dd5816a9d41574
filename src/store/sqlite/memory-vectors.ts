/** Passages of memories as vectors: a cache that can be dropped and made again by the model. */
import { PalimpsestError } from "../../errors.ts";
import { joinBytes } from "../../text/join-bytes.ts";
import type { DropVectorsWrite, MemoryRef, StoredMemory, VectorCount } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findScopeId, scopeIds, type ThreadAccess } from "./memory-access.ts";
import { memoryRowId } from "./memory-rows.ts";
import type { PackedVectors, PackedVectorWrite } from "./packed-commit.ts";
import { memoriesById, rowIdsOf } from "./read-memories.ts";
import { packBits, remakeBits, removeBits, VECTORS_IN_A_PAGE } from "./vector-bits.ts";

export type ModelRow = { model_id: number; dimensions: number; packed_to: number; removed: number };

export function findModel(database: Database, tenant: string, model: string): ModelRow | undefined {
  return database.one<ModelRow>(
    "SELECT model_id, dimensions, packed_to, removed FROM memory_models WHERE tenant = ? AND model = ?",
    tenant,
    model,
  );
}

/** False where the memory is not there any more. */
export function replaceVectors(
  database: Database,
  access: ThreadAccess,
  { ref, vectors }: PackedVectorWrite,
  floats: Float32Array,
): boolean {
  const scopeId = findScopeId(database, access, ref.scope);
  if (scopeId === undefined) return false;
  const memoryId = memoryRowId(scopeId, ref.number);
  const found = database.one("SELECT 1 FROM memories WHERE memory_id = ? AND erased_at IS NULL", memoryId);
  if (found === undefined) return false;
  const known = findModel(database, access.tenant, vectors.model);
  if (known !== undefined) dropVectors(database, [memoryId], known.model_id);
  keepVectors(database, access.tenant, memoryId, vectors, floats);
  return true;
}

/** The memory has none of this model. */
export function keepVectors(
  database: Database,
  tenant: string,
  memoryId: number,
  { model, dimensions, count, start }: PackedVectors,
  floats: Float32Array,
): void {
  const { model_id } = requireModel(database, tenant, model, dimensions);
  for (let passage = 0; passage < count; passage++) {
    const offset = (start + passage * dimensions) * floats.BYTES_PER_ELEMENT;
    const id = database.insert(
      "INSERT INTO memory_vectors (memory_id, model_id, passage, vector) VALUES (?, ?, ?, ?)",
      memoryId,
      model_id,
      passage,
      new Uint8Array(floats.buffer, floats.byteOffset + offset, dimensions * floats.BYTES_PER_ELEMENT),
    );
    if (id % VECTORS_IN_A_PAGE === 0) packBits(database, model_id);
  }
}

function requireModel(database: Database, tenant: string, model: string, dimensions: number): ModelRow {
  const known = findModel(database, tenant, model);
  if (known?.dimensions === dimensions) return known;
  if (known !== undefined) requireNoVectors(database, known, model, dimensions);
  const row = database.one<ModelRow>(
    `INSERT INTO memory_models (tenant, model, dimensions) VALUES (?, ?, ?)
     ON CONFLICT (tenant, model) DO UPDATE SET dimensions = excluded.dimensions
     RETURNING model_id, dimensions, packed_to, removed`,
    tenant,
    model,
    dimensions,
  );
  if (row === undefined) throw new PalimpsestError("internal", "a model could not be named");
  return row;
}

/** Vectors of two lengths cannot be compared; once none is left, a model may begin anew. */
function requireNoVectors(
  database: Database,
  { model_id, dimensions }: ModelRow,
  model: string,
  wanted: number,
): void {
  const left = database.one("SELECT 1 FROM memory_vectors WHERE model_id = ? LIMIT 1", model_id);
  if (left !== undefined)
    throw new PalimpsestError(
      "invalid-input",
      `vectors of ${model} have ${dimensions} dimensions here, and these have ${wanted}`,
      { advice: "Give vectors of another length another model name; nothing was written." },
    );
  database.run("DELETE FROM memory_vector_bits WHERE model_id = ?", model_id);
}

type RemovedRow = { vector_id: number; model_id: number };

/** Of all models, unless one is given. */
export function dropVectors(database: Database, memories: readonly number[], modelId?: number): void {
  const removed = new Map<number, number[]>();
  for (const memory of memories)
    for (const { vector_id, model_id } of database.all<RemovedRow>(
      "DELETE FROM memory_vectors WHERE memory_id = ?1 AND (?2 IS NULL OR model_id = ?2) RETURNING vector_id, model_id",
      memory,
      modelId ?? null,
    ))
      removed.set(model_id, [...(removed.get(model_id) ?? []), vector_id]);
  for (const [model, vectors] of removed) removeBits(database, model, vectors);
}

export function dropFaultyVectors(
  database: Database,
  access: ThreadAccess,
  { model, refs }: DropVectorsWrite,
): void {
  const known = findModel(database, access.tenant, model);
  if (known === undefined) return;
  for (const memoryId of rowIdsOf(database, access, refs))
    if (memoryId !== undefined)
      database.run(
        "DELETE FROM memory_vectors WHERE memory_id = ? AND model_id = ?",
        memoryId,
        known.model_id,
      );
  remakeBits(database, known.model_id);
}

/** Vectors one behind the other in `contents`, so many for each ref. */
export interface PackedVectorPage {
  readonly counts: readonly number[];
  readonly dimensions: number;
  readonly contents: Uint8Array<ArrayBuffer>;
}

export function readVectors(
  database: Database,
  access: ThreadAccess,
  model: string,
  refs: readonly MemoryRef[],
): PackedVectorPage {
  const known = findModel(database, access.tenant, model);
  if (known === undefined) return { counts: refs.map(() => 0), dimensions: 0, contents: joinBytes([]) };
  // Put in order here: SQLite would move all vectors about for it.
  const rows = database
    .all<{ place: number; passage: number; vector: Uint8Array }>(
      `SELECT wanted.key AS place, v.passage, v.vector FROM json_each(?) wanted
       CROSS JOIN memory_vectors v ON v.memory_id = wanted.value AND v.model_id = ?`,
      JSON.stringify(rowIdsOf(database, access, refs).map((id) => id ?? 0)),
      known.model_id,
    )
    .sort((a, b) => a.place - b.place || a.passage - b.passage);
  const counts = refs.map(() => 0);
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

export function readMemoriesWithoutVectors(
  database: Database,
  access: ThreadAccess,
  model: string,
  limit: number,
): StoredMemory[] {
  const rows = database.all<{ memory_id: number }>(
    `SELECT m.memory_id FROM memories m WHERE m.scope_id IN (SELECT value FROM json_each(?))
       AND m.erased_at IS NULL AND NOT EXISTS
         (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.memory_id AND v.model_id = ?)
     ORDER BY m.created_at, m.memory_id LIMIT ?`,
    JSON.stringify(scopeIds(database, access)),
    findModel(database, access.tenant, model)?.model_id ?? 0,
    limit,
  );
  return memoriesById(
    database,
    rows.map(({ memory_id }) => memory_id),
  );
}

export function readVectorCounts(database: Database, access: ThreadAccess): VectorCount[] {
  const isEverything = access.scopes === null;
  return database.all<VectorCount & Record<string, string | number>>(
    `SELECT o.model, o.dimensions, count(DISTINCT v.memory_id) AS memories, count(*) AS vectors
     FROM memory_models o JOIN memory_vectors v USING (model_id)
     ${isEverything ? "" : "JOIN memories m USING (memory_id)"}
     WHERE o.tenant = ?1 ${isEverything ? "AND ?2 <> ''" : "AND m.scope_id IN (SELECT value FROM json_each(?2))"}
     GROUP BY o.model_id ORDER BY o.model`,
    access.tenant,
    JSON.stringify(scopeIds(database, access)),
  );
}
