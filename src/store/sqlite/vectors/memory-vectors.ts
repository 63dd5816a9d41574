/** Stores the vectors of memories, and finds the memories without vectors. */
import type {
  DropVectorsWrite,
  MemoryRef,
  PassageVectors,
  PruneVectorsWrite,
  VectorCount,
  VectorWrite,
} from "../../memory-store.ts";
import type { PlacedVectors } from "../../port.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import type { Database } from "../database.ts";
import { rowIdsOf, scopeIds } from "../memory-rows.ts";
import { remakeBits } from "./vector-bits.ts";
import {
  dropVectors,
  findModel,
  keepVectors,
  type ModelRow,
  type PackedVectorPage,
  readVectorsOf,
  requireModel,
  type VectorOwners,
} from "./vectors.ts";

export function memoriesOf({ tenant }: { readonly tenant: string }): VectorOwners {
  return { tenant, owners: "memories" };
}

/** Data shared by the memories of one call is looked up once, however many they are. */
export function insertVectors(database: Database, tenant: string, placed: readonly PlacedVectors[]): void {
  const ids = rowIdsOf(
    database,
    { tenant, scopes: null },
    placed.map(({ ref }) => ref),
  );
  let known: { readonly name: string; readonly row: ModelRow } | undefined;
  for (const [place, { vectors }] of placed.entries()) {
    const id = ids[place];
    if (id === undefined) continue;
    const dimensions = lengthOf(vectors);
    if (known?.name !== vectors.model || known.row.dimensions !== dimensions)
      known = {
        name: vectors.model,
        row: requireModel(database, memoriesOf({ tenant }), { model: vectors.model, dimensions }),
      };
    keepVectors(database, known.row, id, vectors.vectors);
  }
}

function lengthOf({ vectors }: PassageVectors): number {
  return vectors[0]?.length ?? 0;
}

/** False if the memory no longer exists. */
export function replaceVectors(
  database: Database,
  access: MemoryScopes,
  { ref, vectors }: VectorWrite,
): boolean {
  const [memoryId = 0] = rowIdsOf(database, access, [ref]);
  const found = database.one("SELECT 1 FROM memories WHERE memory_id = ? AND erased_at IS NULL", memoryId);
  if (found === undefined) return false;
  const known = findModel(database, memoriesOf(access), vectors.model);
  if (known !== undefined) dropVectors(database, "memories", [[memoryId, memoryId]], known.model_id);
  insertVectors(database, access.tenant, [{ ref, isActive: true, vectors }]);
  return true;
}

export function dropFaultyVectors(
  database: Database,
  access: MemoryScopes,
  { model, refs }: DropVectorsWrite,
): void {
  const known = findModel(database, memoriesOf(access), model);
  if (known === undefined) return;
  for (const memoryId of rowIdsOf(database, access, refs))
    if (memoryId !== undefined)
      database.run("DELETE FROM vectors WHERE owner_id = ? AND model_id = ?", memoryId, known.model_id);
  remakeBits(database, known.model_id);
}

/** Returns how many there were. */
export function pruneVectors(
  database: Database,
  access: MemoryScopes,
  { keep, refs }: PruneVectorsWrite,
): number {
  const kept = findModel(database, memoriesOf(access), keep);
  if (kept === undefined) return 0;
  const embedded = database.all<{ owner_id: number }>(
    `SELECT wanted.value AS owner_id FROM json_each(?) wanted
     WHERE EXISTS (SELECT 1 FROM vectors WHERE owner_id = wanted.value AND model_id = ?)`,
    JSON.stringify(rowIdsOf(database, access, refs).filter((id) => id !== undefined)),
    kept.model_id,
  );
  const ranges = embedded.map(({ owner_id }) => [owner_id, owner_id] as const);
  let vectors = 0;
  for (const modelId of otherModels(database, access, kept.model_id)) {
    vectors += dropVectors(database, "memories", ranges, modelId);
    // Otherwise pages whose sign bits are all zero would stay forever.
    if (!hasVectors(database, modelId)) remakeBits(database, modelId);
  }
  return vectors;
}

/** Other models with vectors. */
function otherModels(database: Database, { tenant }: MemoryScopes, modelId: number): readonly number[] {
  return database
    .all<{ model_id: number }>(
      "SELECT model_id FROM vector_models WHERE tenant = ? AND owners = 'memories' AND model_id <> ?",
      tenant,
      modelId,
    )
    .map(({ model_id }) => model_id)
    .filter((model) => hasVectors(database, model));
}

function hasVectors(database: Database, modelId: number): boolean {
  return database.one("SELECT 1 FROM vectors WHERE model_id = ? LIMIT 1", modelId) !== undefined;
}

export function readVectors(
  database: Database,
  access: MemoryScopes,
  model: string,
  refs: readonly MemoryRef[],
): PackedVectorPage {
  return readVectorsOf(database, memoriesOf(access), model, rowIdsOf(database, access, refs));
}

export function readVectorCounts(database: Database, access: MemoryScopes): VectorCount[] {
  const isEverything = access.scopes === null;
  return database.all<VectorCount & Record<string, string | number>>(
    `SELECT o.model, o.dimensions, count(DISTINCT v.owner_id) AS memories, count(*) AS vectors
     FROM vector_models o JOIN vectors v USING (model_id)
     ${isEverything ? "" : "JOIN memories m ON m.memory_id = v.owner_id"}
     WHERE o.tenant = ?1 AND o.owners = 'memories' ${isEverything ? "AND ?2 <> ''" : "AND m.scope_id IN (SELECT value FROM json_each(?2))"}
     GROUP BY o.model_id ORDER BY o.model`,
    access.tenant,
    JSON.stringify(scopeIds(database, access)),
  );
}
