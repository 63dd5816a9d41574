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
import { findModel } from "./memory-vectors.ts";
import { setSignBits } from "./vector-bits.ts";
import { cosineWith } from "./vector-cosines.ts";

/** Vectors that are measured exactly at least, and how many for each that is asked for. */
const LEAST_MEASURED = 240;
const MEASURED_PER_WANTED = 4;
/** Vectors that are estimated for each that is measured. */
const ESTIMATED_PER_MEASURED = 10;
/** Of so many of the nearest, one must be in a wanted state, or more are measured. */
const WANTED_SHARE = 4;
/** Memories whose state is looked up at a time. */
const LOOKED_UP = 100;
/** Vectors that a thread holds the signs of, over all models, before it lets the one go that was asked for longest ago. */
const MOST_HELD = 4_000_000;

const held = new Map<string, BitIndex>();

export function readNearest(database: Database, access: ThreadAccess, query: NearestQuery): NearMemory[] {
  return database.snapshot(() => {
    const index = currentIndex(database, access.tenant, query);
    return index === undefined || query.limit < 1 ? [] : search(database, access, query, index);
  });
}

function currentIndex(
  database: Database,
  tenant: string,
  { model, vector }: NearestQuery,
): BitIndex | undefined {
  const row = findModel(database, tenant, model);
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
  const least = query.least ?? Number.NEGATIVE_INFINITY;
  if (scopes.length === 0 || states === "0") return [];
  const distances = distancesTo(query.vector, index, isWholeTenant(access, query) ? null : scopes);
  const product = new SignProduct(query.vector, index.words);
  for (let wanted = Math.max(LEAST_MEASURED, query.limit * MEASURED_PER_WANTED); ; wanted *= 4) {
    const places = choose(index, distances, product, wanted);
    const measured = measure(database, query.vector, vectorsAt(index, places));
    const near = memoriesOf(measured, least);
    const found = inWantedState(database, near, states, query.limit);
    const isAll = places.length < wanted || (measured.at(-1)?.cosine ?? 0) < least;
    if (isAll || isEnough(found, near, query.limit)) return toNear(database, found);
  }
}

/** Where few of those that were measured are wanted, those that were not may be nearer than these. */
function isEnough(found: readonly Measured[], near: readonly Measured[], limit: number): boolean {
  const last = found.at(-1);
  return found.length >= limit && last !== undefined && near.indexOf(last) < WANTED_SHARE * limit;
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

interface Measured {
  readonly memory: number;
  readonly cosine: number;
}

/** The nearest first. What was removed since is not there. */
function measure(database: Database, query: Float32Array, vectors: readonly number[]): Measured[] {
  const cosineOf = cosineWith(query);
  return database
    .all<{ memory_id: number; vector: Uint8Array }>(
      `SELECT v.memory_id, v.vector FROM json_each(?) wanted
       CROSS JOIN memory_vectors v ON v.vector_id = wanted.value`,
      JSON.stringify(vectors),
    )
    .map(({ memory_id, vector }) => ({ memory: memory_id, cosine: cosineOf(vector) }))
    .sort((a, b) => b.cosine - a.cosine || a.memory - b.memory);
}

/** A memory once, by its nearest passage. */
function memoriesOf(measured: readonly Measured[], least: number): Measured[] {
  const seen = new Set<number>();
  return measured.filter(({ memory, cosine }) => {
    if (cosine < least || seen.has(memory)) return false;
    seen.add(memory);
    return true;
  });
}

/** The first that are in a state that is asked for. Most are, so few more than these are looked up. */
function inWantedState(
  database: Database,
  measured: readonly Measured[],
  states: string,
  limit: number,
): Measured[] {
  const found: Measured[] = [];
  for (let from = 0; from < measured.length && found.length < limit; from += LOOKED_UP) {
    const some = measured.slice(from, from + LOOKED_UP);
    const rows = database.all<{ memory_id: number }>(
      `SELECT m.memory_id FROM json_each(?) wanted CROSS JOIN memories m ON m.memory_id = wanted.value
       WHERE ${states}`,
      JSON.stringify(some.map(({ memory }) => memory)),
    );
    const there = new Set(rows.map(({ memory_id }) => memory_id));
    found.push(...some.filter(({ memory }) => there.has(memory)));
  }
  return found.slice(0, limit);
}

function toNear(database: Database, measured: readonly Measured[]): NearMemory[] {
  const names = scopeNames(database);
  return measured
    .map(({ memory, cosine }) => ({
      ref: { scope: names(scopeOfRowId(memory)), number: numberOfRowId(memory) },
      cosine,
    }))
    .toSorted(
      (a, b) => b.cosine - a.cosine || compare(a.ref.scope, b.ref.scope) || a.ref.number - b.ref.number,
    );
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
