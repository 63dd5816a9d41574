/** Checks that all vectors of a model have one length. */
import { PalimpsestError } from "../../../errors.ts";
import type { PassageVectors } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";

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
    "SELECT model, dimensions FROM vector_models WHERE tenant = $1 AND model = ANY($2::text[])",
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

/** Another process may add the same model at the same time: the first one determines the length of its vectors. */
async function addModels(
  transaction: Transaction,
  tenant: string,
  lengths: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [model, length] of [...lengths].sort()) {
    const row = await transaction.one<{ dimensions: number }>(
      `INSERT INTO vector_models AS m (tenant, model, dimensions) VALUES ($1, $2, $3)
       ON CONFLICT (tenant, model) DO UPDATE SET dimensions = m.dimensions RETURNING dimensions`,
      tenant,
      model,
      length,
    );
    if (row?.dimensions !== length) throw wrongLength(model, length, row?.dimensions);
  }
}

function wrongLength(model: string, length: number, known?: number): PalimpsestError {
  const others = known === undefined ? "" : `, but stored ones have ${known}`;
  return new PalimpsestError("invalid-input", `an embedding by ${model} has ${length} dimensions${others}`, {
    advice: "Use another model name for embeddings of another model or size.",
  });
}
