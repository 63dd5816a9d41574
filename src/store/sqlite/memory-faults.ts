/** Rows in the tables of memories that belong to no memory, and sign bits that differ from their vectors. */
import type { MemoryFault, MemoryRef } from "../memory-store.ts";
import { readRowFaults } from "../reads/memory-faults.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { setSignBits } from "../signs/sign-bits.ts";
import type { Database } from "./database.ts";
import { numberOfRowId, scopeIds, scopeOfRowId } from "./memory-rows.ts";
import { portOf } from "./sqlite-port.ts";
import { bitPages, toFloats, wordsFor } from "./vectors/vector-bits.ts";

export async function readMemoryFaults(database: Database, access: MemoryScopes): Promise<MemoryFault[]> {
  const rows = await readRowFaults(portOf(database), access);
  const scopes = new Map(scopeIds(database, access).map((id) => [id, nameOf(database, id)]));
  return [...rows, ...vectorFaults(database, access.tenant, scopes)];
}

/** Names by id. */
type Scopes = ReadonlyMap<number, string>;

function nameOf(database: Database, id: number): string {
  return (
    database.one<{ scope: string }>("SELECT scope FROM memory_scopes WHERE scope_id = ?", id)?.scope ?? ""
  );
}

function refOf(memoryId: number, scopes: Scopes): MemoryRef | undefined {
  const scope = scopes.get(scopeOfRowId(memoryId));
  return scope === undefined ? undefined : { scope, number: numberOfRowId(memoryId) };
}

type Model = { model_id: number; model: string; dimensions: number; packed_to: number };

function* vectorFaults(database: Database, tenant: string, scopes: Scopes): Generator<MemoryFault> {
  for (const model of database.all<Model>(
    "SELECT model_id, model, dimensions, packed_to FROM vector_models WHERE tenant = ? AND owners = 'memories' ORDER BY model",
    tenant,
  ))
    yield* faultsOf(database, model, scopes);
}

type VectorRow = { vector_id: number; owner_id: number; vector: Uint8Array; has_words: number };
type VectorFault = Extract<MemoryFault, { kind: "vectors" }>["fault"];

/** Each memory once, with the first fault of its vectors. */
function* faultsOf(database: Database, model: Model, scopes: Scopes): Generator<MemoryFault> {
  const signs = new HeldSigns(database, model);
  const told = new Set<number>();
  for (const row of database.iterate<VectorRow>(
    `SELECT v.vector_id, v.owner_id, v.vector, m.memory_id IS NOT NULL AND m.erased_at IS NULL AS has_words
     FROM vectors v LEFT JOIN memories m ON m.memory_id = v.owner_id WHERE v.model_id = ? ORDER BY v.vector_id`,
    model.model_id,
  )) {
    const fault = faultOf(row, model, signs);
    const ref = refOf(row.owner_id, scopes);
    if (fault === null || ref === undefined || told.has(row.owner_id)) continue;
    told.add(row.owner_id);
    yield { kind: "vectors", model: model.model, ref, fault };
  }
  if (signs.left([...scopes.keys()]) > 0)
    yield { kind: "vectors", model: model.model, ref: null, fault: "stray" };
}

function faultOf(row: VectorRow, model: Model, signs: HeldSigns): VectorFault | null {
  const hasSigns = signs.take(row);
  if (row.has_words !== 1) return "stray";
  if (row.vector.byteLength !== model.dimensions * 4) return "length";
  return hasSigns ? null : "signs";
}

/** The pages of a model. Entries that remain after `take` belong to no vector. */
class HeldSigns {
  readonly #words: number;
  readonly #packedTo: number;
  readonly #held = new Map<number, { readonly scope: number; readonly bits: Uint32Array }>();

  constructor(database: Database, { model_id, dimensions, packed_to }: Model) {
    this.#words = wordsFor(dimensions);
    this.#packedTo = packed_to;
    for (const { vectors, scopes, bits } of bitPages(database, model_id))
      vectors.forEach((vector, place) => {
        if (vector === 0) return;
        const from = place * this.#words;
        this.#held.set(vector, { scope: scopes[place] ?? 0, bits: bits.subarray(from, from + this.#words) });
      });
  }

  /** Whether the sign bits of this vector are at their place and correct. */
  take({ vector_id, owner_id, vector }: VectorRow): boolean {
    const held = this.#held.get(vector_id);
    this.#held.delete(vector_id);
    if (held === undefined) return vector_id > this.#packedTo;
    if (vector.byteLength % 4 !== 0) return false;
    const bits = new Uint32Array(this.#words);
    setSignBits(toFloats(vector), bits, 0);
    return held.scope === scopeOfRowId(owner_id) && held.bits.every((word, place) => word === bits[place]);
  }

  left(scopes: readonly number[]): number {
    return [...this.#held.values()].filter(({ scope }) => scopes.includes(scope)).length;
  }
}
