/** Measures the cosine of vectors exactly. */
import type { MemoryRef } from "../../memory-store.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import type { Database } from "../database.ts";
import { rowIdsOf } from "../memory-rows.ts";
import { memoriesOf } from "./memory-vectors.ts";
import { toFloats } from "./vector-bits.ts";
import { findModel } from "./vectors.ts";

/** Computes the vector's norm once, for any number of comparisons. */
export function cosineWith(vector: Float32Array): (other: Uint8Array) => number {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return (bytes) => {
    const other = toFloats(bytes);
    let product = 0;
    let squares = 0;
    for (let i = 0; i < vector.length; i++) {
      const value = other[i] as number;
      product += (vector[i] as number) * value;
      squares += value * value;
    }
    const lengths = length * Math.sqrt(squares);
    return lengths === 0 ? 0 : product / lengths;
  };
}

export function readCosines(
  database: Database,
  access: MemoryScopes,
  model: string,
  vector: Float32Array,
  refs: readonly MemoryRef[],
): (number | null)[] {
  const cosines = refs.map((): number | null => null);
  const known = findModel(database, memoriesOf(access), model);
  if (known?.dimensions !== vector.length) return cosines;
  const rows = database.all<{ place: number; vector: Uint8Array }>(
    `SELECT wanted.key AS place, v.vector FROM json_each(?) wanted
     CROSS JOIN vectors v ON v.owner_id = wanted.value AND v.model_id = ?`,
    JSON.stringify(rowIdsOf(database, access, refs).map((id) => id ?? 0)),
    known.model_id,
  );
  const cosineOf = cosineWith(vector);
  for (const { place, vector: other } of rows)
    cosines[place] = Math.max(cosines[place] ?? -1, cosineOf(other));
  return cosines;
}
