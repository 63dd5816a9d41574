/**
 * The owners of the nearest vectors by cosine. Sign bits of all vectors are compared first, which takes a fraction of a
 * microsecond each; the best get a better estimate from the query itself, and the best of these are read and measured
 * exactly. If many of them are unwanted, the search continues until there are enough, or all were checked.
 */
import { ESTIMATED_PER_MEASURED, measuredFor } from "../../near-enough.ts";
import { LEFT_OUT, leastOfHighest, nearestByDistance, SignProduct } from "../../signs/hamming.ts";
import type { Database } from "../database.ts";
import { BitIndex } from "./bit-index.ts";
import { cosineWith } from "./vector-cosines.ts";
import { findModel, type VectorOwners } from "./vectors.ts";

/** At least one of this many of the nearest must be wanted, or more are measured. */
const WANTED_SHARE = 4;
/** How many owners are checked at a time. */
const LOOKED_UP = 40;
/** Most vectors whose sign bits a thread caches, over all models, before it drops the least recently queried model. */
const MOST_HELD = 4_000_000;

/** By the ids of their models. */
type HeldIndexes = Map<string, BitIndex>;

const heldFor = new WeakMap<Database, HeldIndexes>();

interface NearestAsked {
  readonly vector: Float32Array;
  readonly limit: number;
  /** Leave out vectors with a lower cosine. */
  readonly least: number;
  /** Ascending: only vectors in these scopes. Null: everywhere. */
  readonly scopes: readonly number[] | null;
  /** Which of these owners are wanted. Omitted: all. Most should be, so that few more than the limit are checked. */
  readonly wantedOf?: (owners: readonly number[]) => ReadonlySet<number>;
}

export interface NearOwner {
  readonly owner: number;
  readonly cosine: number;
}

/** Undefined if there are no such vectors. */
export function currentIndex(
  database: Database,
  of: VectorOwners,
  { model, vector }: { readonly model: string; readonly vector: Float32Array },
): BitIndex | undefined {
  const row = findModel(database, of, model);
  if (row === undefined || row.dimensions !== vector.length) return undefined;
  const name = String(row.model_id);
  const held: HeldIndexes = heldFor.get(database) ?? new Map();
  heldFor.set(database, held);
  const known = held.get(name);
  const index = known?.isGoodFor(row) ? known : new BitIndex(row);
  index.catchUp(database, row);
  // The most recently queried one is last.
  held.delete(name);
  held.set(name, index);
  letGo(held);
  return index;
}

function letGo(held: HeldIndexes): void {
  let vectors = 0;
  for (const [name, { count }] of [...held].toReversed()) {
    if (vectors > 0 && vectors + count > MOST_HELD) held.delete(name);
    else vectors += count;
  }
}

/** The nearest first, each once, by its nearest passage. */
export function nearestOwners(database: Database, index: BitIndex, asked: NearestAsked): NearOwner[] {
  const { vector, limit, least } = asked;
  const distances = distancesTo(vector, index, asked.scopes);
  const product = new SignProduct(vector, index.signs.words);
  for (let wanted = measuredFor(limit); ; wanted *= 4) {
    const places = choose(index, distances, product, wanted);
    const measured = measure(database, vector, vectorsAt(index, places));
    const near = ownersOnce(measured, least);
    const found = wantedOnes(near, asked);
    const isAll = places.length < wanted || (measured.at(-1)?.cosine ?? 0) < least;
    if (isAll || isEnough(found, near, limit)) return found;
  }
}

/** If few of the measured ones are wanted, unmeasured ones may be nearer than these. */
function isEnough(found: readonly NearOwner[], near: readonly NearOwner[], limit: number): boolean {
  const last = found.at(-1);
  return found.length >= limit && last !== undefined && near.indexOf(last) < WANTED_SHARE * limit;
}

function distancesTo(vector: Float32Array, index: BitIndex, scopes: readonly number[] | null): Uint16Array {
  const distances = index.signs.distancesTo(vector, index.count);
  if (scopes !== null) leaveOutOthers(index, scopes, distances);
  return distances;
}

function leaveOutOthers(index: BitIndex, scopes: readonly number[], distances: Uint16Array): void {
  const isWanted = new Uint8Array((scopes.at(-1) ?? 0) + 1);
  for (const scope of scopes) isWanted[scope] = 1;
  for (let i = 0; i < index.count; i++)
    if (isWanted[index.scopes[i] as number] !== 1) distances[i] = LEFT_OUT;
}

/** Positions in the index of the nearest by sign bits. Fewer than wanted: all that exist. */
function choose(index: BitIndex, distances: Uint16Array, product: SignProduct, wanted: number): Uint32Array {
  const near = nearestByDistance(distances, index.count, index.dimensions, wanted * ESTIMATED_PER_MEASURED);
  const estimates = product.withAll(index.signs.bits, near);
  const least = leastOfHighest(estimates, wanted);
  return near.filter((_, i) => (estimates[i] as number) >= least);
}

function vectorsAt(index: BitIndex, places: Uint32Array): number[] {
  const vectors: number[] = [];
  for (const place of places) vectors.push(index.vectors[place] as number);
  return vectors;
}

/** The nearest first. Vectors removed since are missing. */
function measure(database: Database, query: Float32Array, vectors: readonly number[]): NearOwner[] {
  const cosineOf = cosineWith(query);
  return database
    .lists<[owner: number, vector: Uint8Array]>(
      "SELECT v.owner_id, v.vector FROM json_each(?) wanted CROSS JOIN vectors v ON v.vector_id = wanted.value",
      JSON.stringify(vectors),
    )
    .map(([owner, vector]) => ({ owner, cosine: cosineOf(vector) }))
    .sort((a, b) => b.cosine - a.cosine || a.owner - b.owner);
}

function ownersOnce(measured: readonly NearOwner[], least: number): NearOwner[] {
  const seen = new Set<number>();
  return measured.filter(({ owner, cosine }) => {
    if (cosine < least || seen.has(owner)) return false;
    seen.add(owner);
    return true;
  });
}

function wantedOnes(near: readonly NearOwner[], { limit, wantedOf }: NearestAsked): NearOwner[] {
  if (wantedOf === undefined) return near.slice(0, limit);
  const found: NearOwner[] = [];
  for (let from = 0; from < near.length && found.length < limit; from += LOOKED_UP) {
    const some = near.slice(from, from + LOOKED_UP);
    const wanted = wantedOf(some.map(({ owner }) => owner));
    found.push(...some.filter(({ owner }) => wanted.has(owner)));
  }
  return found.slice(0, limit);
}
