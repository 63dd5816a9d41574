/**
 * The nearest memories by cosine. Signs of all vectors are compared first, which takes a fraction of a microsecond each;
 * the best are estimated better from the query itself, and the best of these are read and measured exactly. Where many
 * of them turn out not to be wanted, it looks further until enough are, or all were looked at.
 */
import type { NearestQuery, NearMemory } from "../memory-store.ts";
import { BitIndex } from "./bit-index.ts";
import type { Database } from "./database.ts";
import { countDiffering, LEFT_OUT, nearestByDistance, SignProduct } from "./hamming.ts";
import { inStates } from "./list-memories.ts";
import { scopeIds, type ThreadAccess } from "./memory-access.ts";
import { numberOfRowId, scopeOfRowId } from "./memory-rows.ts";
import { memoriesOf } from "./memory-vectors.ts";
import { setSignBits, toFloats } from "./vector-bits.ts";
import { findModel, type VectorOwners } from "./vectors.ts";

/** Vectors that are measured exactly at least, and how many for each that is asked for. */
const LEAST_MEASURED = 400;
const MEASURED_PER_WANTED = 8;
/** Vectors that are estimated for each that is measured. */
const ESTIMATED_PER_MEASURED = 10;
/** Vectors that a thread holds the signs of, over all models, before it lets the one go that was asked for longest ago. */
const MOST_HELD = 4_000_000;

const held = new Map<string, BitIndex>();

export function readNearest(database: Database, access: ThreadAccess, query: NearestQuery): NearMemory[] {
  return database.snapshot(() => {
    const index = currentIndex(database, memoriesOf(access), query);
    return index === undefined || query.limit < 1 ? [] : search(database, access, query, index);
  });
}

export function currentIndex(
  database: Database,
  of: VectorOwners,
  { model, vector }: Pick<NearestQuery, "model" | "vector">,
): BitIndex | undefined {
  const row = findModel(database, of, model);
  if (row === undefined || row.dimensions !== vector.length) return undefined;
  const name = String(row.model_id);
  const known = held.get(name);
  const index = known?.isGoodFor(row) ? known : new BitIndex(row);
  index.catchUp(database, row);
  // The one that was asked for last stands last.
  held.delete(name);
  held.set(name, index);
  letGo();
  return index;
}

function letGo(): void {
  let vectors = 0;
  for (const [name, { count }] of [...held].toReversed()) {
    if (vectors > 0 && vectors + count > MOST_HELD) held.delete(name);
    else vectors += count;
  }
}

function search(
  database: Database,
  access: ThreadAccess,
  query: NearestQuery,
  index: BitIndex,
): NearMemory[] {
  const scopes = scopeIds(database, access, query.scopes);
  const states = inStates(query.states ?? ["active"]);
  if (scopes.length === 0 || states === "0") return [];
  const measured = nearestOwners(index, query, isWholeTenant(access, query) ? null : scopes, (vectors) =>
    measure(database, query.vector, vectors, states),
  );
  return best(database, measured, query);
}

/** The vectors that come nearest, measured; enough of them for so many owners. `scopes`, ascending: only what lies there. */
export function nearestOwners(
  index: BitIndex,
  { vector, limit }: Pick<NearestQuery, "vector" | "limit">,
  scopes: readonly number[] | null,
  measure: (vectors: readonly number[]) => Measured[],
): Measured[] {
  const distances = distancesTo(vector, index, scopes);
  const product = new SignProduct(vector, index.words);
  for (let wanted = Math.max(LEAST_MEASURED, limit * MEASURED_PER_WANTED); ; wanted *= 4) {
    const places = choose(index, distances, product, wanted);
    const measured = measure(vectorsAt(index, places));
    const isAll = places.length < wanted;
    if (isAll || isEnough(measured, wanted / 4, limit)) return measured;
  }
}

/** One owner may have many passages. */
function isEnough(measured: readonly Measured[], vectors: number, owners: number): boolean {
  return measured.length >= vectors && new Set(measured.map(({ owner }) => owner)).size >= owners;
}

function isWholeTenant({ scopes }: ThreadAccess, query: NearestQuery): boolean {
  return scopes === null && query.scopes === undefined;
}

function distancesTo(vector: Float32Array, index: BitIndex, scopes: readonly number[] | null): Uint16Array {
  const signs = new Uint32Array(index.words);
  setSignBits(vector, signs, 0);
  const distances = new Uint16Array(index.count);
  countDiffering(index.bits, signs, index.count, distances);
  if (scopes !== null) leaveOutOthers(index, scopes, distances);
  return distances;
}

function leaveOutOthers(index: BitIndex, scopes: readonly number[], distances: Uint16Array): void {
  const isWanted = new Uint8Array((scopes.at(-1) ?? 0) + 1);
  for (const scope of scopes) isWanted[scope] = 1;
  for (let i = 0; i < index.count; i++)
    if (isWanted[index.scopes[i] as number] !== 1) distances[i] = LEFT_OUT;
}

/** Places in the index of those that come nearest by their signs. Fewer than wanted: all there are. */
function choose(index: BitIndex, distances: Uint16Array, product: SignProduct, wanted: number): Uint32Array {
  const near = nearestByDistance(distances, index.count, index.dimensions, wanted * ESTIMATED_PER_MEASURED);
  if (near.length <= wanted) return near;
  const estimates = product.withAll(index.bits, near);
  const least = estimates.toSorted()[near.length - wanted] as number;
  return near.filter((_, i) => (estimates[i] as number) >= least);
}

function vectorsAt(index: BitIndex, places: Uint32Array): number[] {
  const vectors: number[] = [];
  for (const place of places) vectors.push(index.vectors[place] as number);
  return vectors;
}

export interface Measured {
  readonly owner: number;
  readonly cosine: number;
}

export type CandidateRow = { owner_id: number; vector: Uint8Array };

/** What was removed since, or is in another state, is not there. */
function measure(
  database: Database,
  query: Float32Array,
  vectors: readonly number[],
  states: string,
): Measured[] {
  const rows = database.all<CandidateRow>(
    `SELECT v.owner_id, v.vector FROM json_each(?) wanted
     CROSS JOIN vectors v ON v.vector_id = wanted.value CROSS JOIN memories m ON m.memory_id = v.owner_id
     WHERE ${states}`,
    JSON.stringify(vectors),
  );
  return measureRows(query, rows);
}

export function measureRows(query: Float32Array, rows: readonly CandidateRow[]): Measured[] {
  const length = lengthOf(query);
  return rows.map(({ owner_id, vector }) => ({
    owner: owner_id,
    cosine: cosineOf(query, length, toFloats(vector)),
  }));
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

function cosineOf(query: Float32Array, queryLength: number, vector: Float32Array): number {
  let product = 0;
  let squares = 0;
  for (let i = 0; i < query.length; i++) {
    const value = vector[i] as number;
    product += (query[i] as number) * value;
    squares += value * value;
  }
  const lengths = queryLength * Math.sqrt(squares);
  return lengths === 0 ? 0 : product / lengths;
}

function best(
  database: Database,
  measured: readonly Measured[],
  { limit, least = Number.NEGATIVE_INFINITY }: NearestQuery,
): NearMemory[] {
  const names = scopeNames(database);
  return ownersOnce(measured, least)
    .map(({ owner, cosine }) => ({
      ref: { scope: names(scopeOfRowId(owner)), number: numberOfRowId(owner) },
      cosine,
    }))
    .toSorted(
      (a, b) => b.cosine - a.cosine || compare(a.ref.scope, b.ref.scope) || a.ref.number - b.ref.number,
    )
    .slice(0, limit);
}

/** An owner once, by its nearest passage. */
export function ownersOnce(measured: readonly Measured[], least: number): Measured[] {
  const nearest = new Map<number, Measured>();
  for (const one of measured)
    if (one.cosine >= least && one.cosine > (nearest.get(one.owner)?.cosine ?? Number.NEGATIVE_INFINITY))
      nearest.set(one.owner, one);
  return [...nearest.values()];
}

/** Each is looked up once. */
function scopeNames(database: Database): (scopeId: number) => string {
  const known = new Map<number, string>();
  return (scopeId) => {
    const name = known.get(scopeId) ?? scopeName(database, scopeId);
    known.set(scopeId, name);
    return name;
  };
}

function scopeName(database: Database, scopeId: number): string {
  const row = database.one<{ scope: string }>("SELECT scope FROM memory_scopes WHERE scope_id = ?", scopeId);
  return row?.scope ?? "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
