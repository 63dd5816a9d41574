/** The vectors of memories come in, beside their signs. */
import { PalimpsestError } from "../../../errors.ts";
import type {
  DropVectorsWrite,
  MemoryAccess,
  MemoryRef,
  PassageVectors,
  VectorWrite,
} from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";
import { signBitArray, vectorArray } from "./vector-bytes.ts";

export interface PlacedVectors {
  readonly ref: MemoryRef;
  readonly isActive: boolean;
  readonly vectors: PassageVectors;
}

const BATCH_COMPONENTS = 1_000_000;

const PASSAGES = "unnest($2::text[], $3::bigint[], $4::text[], $5::integer[]";

const INSERT_VECTORS = `INSERT INTO memory_vectors (tenant, scope, number, model, passage, vector)
  SELECT $1::text, * FROM ${PASSAGES}, $6::bytea[])`;

const INSERT_BITS = `INSERT INTO memory_vector_bits (tenant, scope, number, model, passage, is_active, bits)
  SELECT $1::text, * FROM ${PASSAGES}, $6::boolean[], $7::varbit[])`;

export function insertVectors(
  transaction: Transaction,
  tenant: string,
  placed: readonly PlacedVectors[],
): void {
  const passages = placed.flatMap(({ ref, isActive, vectors: { model, vectors } }) =>
    vectors.map((vector, passage) => ({ ref, isActive, model, passage, vector })),
  );
  for (const batch of batches(passages)) {
    const vectors = batch.map(({ vector }) => vector);
    const keys = [
      tenant,
      batch.map(({ ref }) => ref.scope),
      batch.map(({ ref }) => ref.number),
      batch.map(({ model }) => model),
      batch.map(({ passage }) => passage),
    ];
    transaction.send(INSERT_VECTORS, ...keys, vectorArray(vectors));
    transaction.send(
      INSERT_BITS,
      ...keys,
      batch.map(({ isActive }) => isActive),
      signBitArray(vectors),
    );
  }
}

function* batches<Passage extends { readonly vector: Float32Array }>(
  passages: readonly Passage[],
): Generator<Passage[]> {
  let batch: Passage[] = [];
  let components = 0;
  for (const passage of passages) {
    if (components > BATCH_COMPONENTS) {
      yield batch;
      [batch, components] = [[], 0];
    }
    batch.push(passage);
    components += passage.vector.length;
  }
  if (batch.length > 0) yield batch;
}

/** All vectors of a model have one length. */
export async function requireLengths(
  transaction: Transaction,
  tenant: string,
  given: readonly PassageVectors[],
): Promise<void> {
  const lengths = new Map<string, number>();
  for (const { model, vectors } of given)
    for (const { length } of vectors)
      if (length === 0 || (lengths.get(model) ?? length) !== length) throw wrongLength(model, length);
      else lengths.set(model, length);
  const known = await transaction.rows<{ model: string; dimensions: number }>(
    "SELECT model, dimensions FROM memory_models WHERE tenant = $1 AND model = ANY($2::text[])",
    tenant,
    [...lengths.keys()],
  );
  for (const { model, dimensions } of known) {
    const length = lengths.get(model) ?? 0;
    if (length !== dimensions) throw wrongLength(model, length, dimensions);
    lengths.delete(model);
  }
  await addModels(transaction, tenant, lengths);
}

/** Another process may come with the same model at the same time: whoever is first says how long its vectors are. */
async function addModels(
  transaction: Transaction,
  tenant: string,
  lengths: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [model, length] of [...lengths].sort()) {
    const row = await transaction.one<{ dimensions: number }>(
      `INSERT INTO memory_models AS m (tenant, model, dimensions) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, model) DO UPDATE SET dimensions = m.dimensions RETURNING dimensions`,
      tenant,
      model,
      length,
    );
    if (row?.dimensions !== length) throw wrongLength(model, length, row?.dimensions);
  }
}

function wrongLength(model: string, length: number, known?: number): PalimpsestError {
  const others = known === undefined ? "" : `, others of it have ${known}`;
  return new PalimpsestError("invalid-input", `a vector of ${model} has ${length} components${others}`, {
    advice: "Use one model under one name; another model or size needs a name of its own.",
  });
}

/** Answers with whether there is such a memory that still has words. */
export async function replaceVectors(
  transaction: Transaction,
  access: MemoryAccess,
  { ref, vectors }: VectorWrite,
): Promise<boolean> {
  const memory = await transaction.one<{ is_active: boolean }>(
    `SELECT invalidated_at IS NULL AND archived_at IS NULL AS is_active FROM memories
     WHERE tenant = $1 AND ${inScopes("scope", 2)} AND scope = $3 AND number = $4 AND erased_at IS NULL`,
    access.tenant,
    scopesOf(access),
    ref.scope,
    ref.number,
  );
  if (memory === undefined) return false;
  dropVectors(transaction, access, { model: vectors.model, refs: [ref] });
  insertVectors(transaction, access.tenant, [{ ref, isActive: memory.is_active, vectors }]);
  return true;
}

/** With their signs. */
export function dropVectors(
  transaction: Transaction,
  access: MemoryAccess,
  { model, refs }: Pick<DropVectorsWrite, "model" | "refs">,
): void {
  for (const table of ["memory_vectors", "memory_vector_bits"])
    transaction.send(
      `DELETE FROM ${table} v USING unnest($4::text[], $5::bigint[]) AS wanted(scope, number)
       WHERE v.tenant = $1 AND ${inScopes("v.scope", 2)} AND v.scope = wanted.scope AND v.number = wanted.number
         AND v.model = $3`,
      access.tenant,
      scopesOf(access),
      model,
      refs.map(({ scope }) => scope),
      refs.map(({ number }) => number),
    );
}
