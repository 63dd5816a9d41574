/** Writes the vectors of memories and their sign bits. */
import type { DropVectorsWrite, MemoryRef, PruneVectorsWrite, VectorWrite } from "../../memory-store.ts";
import type { PlacedVectors } from "../../port.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import { POSTGRES } from "../dialect.ts";
import type { Transaction } from "../transaction.ts";
import { requireLengths } from "../vectors/require-lengths.ts";
import { signBitArray, vectorArray, vectorBatches } from "../vectors/vector-bytes.ts";

const PASSAGES = "unnest($2::text[], $3::bigint[], $4::text[], $5::integer[]";

const INSERT_VECTORS = `INSERT INTO memory_vectors (tenant, scope, number, model, passage, vector)
  SELECT $1::text, * FROM ${PASSAGES}, $6::bytea[])`;

const INSERT_BITS = `INSERT INTO memory_vector_bits (tenant, scope, number, model, passage, is_active, bits, change)
  SELECT $1::text, p.*, s.last_change FROM ${PASSAGES}, $6::boolean[], $7::varbit[])
    AS p(scope, number, model, passage, is_active, bits)
  JOIN memory_scopes s ON s.tenant = $1 AND s.scope = p.scope`;

export async function insertVectors(
  transaction: Transaction,
  tenant: string,
  placed: readonly PlacedVectors[],
): Promise<void> {
  await requireLengths(
    transaction,
    tenant,
    placed.map(({ vectors }) => vectors),
  );
  addVectors(transaction, tenant, placed);
}

/** The caller has checked their lengths. */
function addVectors(transaction: Transaction, tenant: string, placed: readonly PlacedVectors[]): void {
  const passages = placed.flatMap(({ ref, isActive, vectors: { model, vectors } }) =>
    vectors.map((vector, passage) => ({ ref, isActive, model, passage, vector })),
  );
  countChange(
    transaction,
    tenant,
    placed.map(({ ref }) => ref),
  );
  for (const batch of vectorBatches(passages)) {
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

/** Returns whether the memory exists and still has text. */
export async function replaceVectors(
  transaction: Transaction,
  access: MemoryScopes,
  { ref, vectors }: VectorWrite,
): Promise<boolean> {
  await requireLengths(transaction, access.tenant, [vectors]);
  const memory = await transaction.one<{ is_active: boolean }>(
    `SELECT invalidated_at IS NULL AND archived_at IS NULL AS is_active FROM memories
     WHERE tenant = $1 AND ${POSTGRES.among("scope", "$2")} AND scope = $3 AND number = $4 AND erased_at IS NULL`,
    access.tenant,
    access.scopes,
    ref.scope,
    ref.number,
  );
  if (memory === undefined) return false;
  dropVectors(transaction, access, { model: vectors.model, refs: [ref] });
  addVectors(transaction, access.tenant, [{ ref, isActive: memory.is_active, vectors }]);
  return true;
}

/** With their sign bits. */
export function dropVectors(
  transaction: Transaction,
  access: MemoryScopes,
  { model, refs }: Pick<DropVectorsWrite, "model" | "refs">,
): void {
  for (const table of ["memory_vectors", "memory_vector_bits"])
    transaction.send(
      `DELETE FROM ${table} v USING unnest($4::text[], $5::bigint[]) AS wanted(scope, number)
       WHERE v.tenant = $1 AND ${POSTGRES.among("v.scope", "$2")} AND v.scope = wanted.scope AND v.number = wanted.number
         AND v.model = $3`,
      access.tenant,
      access.scopes,
      model,
      refs.map(({ scope }) => scope),
      refs.map(({ number }) => number),
    );
}

/** With their sign bits. Returns how many vectors there were. */
export async function pruneVectors(
  transaction: Transaction,
  access: MemoryScopes,
  { keep, refs }: PruneVectorsWrite,
): Promise<number> {
  const remove = (table: string) =>
    transaction.run(
      `DELETE FROM ${table} v USING unnest($4::text[], $5::bigint[]) AS wanted(scope, number)
       WHERE v.tenant = $1 AND ${POSTGRES.among("v.scope", "$2")} AND v.scope = wanted.scope AND v.number = wanted.number
         AND v.model <> $3 AND EXISTS (SELECT FROM ${table} kept WHERE kept.tenant = $1 AND kept.scope = v.scope
           AND kept.number = v.number AND kept.model = $3)`,
      access.tenant,
      access.scopes,
      keep,
      refs.map(({ scope }) => scope),
      refs.map(({ number }) => number),
    );
  const [vectors] = await Promise.all([remove("memory_vectors"), remove("memory_vector_bits")]);
  return vectors;
}

/**
 * Counts a change of each scope, before sign bits are written in it: all rows of a memory written together have one count.
 * Scopes are written under their lock or the tenant's exclusive lock, so changes of one scope become visible in order.
 */
export function countChange(transaction: Transaction, tenant: string, refs: readonly MemoryRef[]): void {
  transaction.send(
    "UPDATE memory_scopes SET last_change = last_change + 1 WHERE tenant = $1 AND scope = ANY($2::text[])",
    tenant,
    [...new Set(refs.map(({ scope }) => scope))],
  );
}
