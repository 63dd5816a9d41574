/**
 * Sign bits of vectors cached in this process, so that the server does not compare all of them for each query: only changes
 * since the last query are read. The server answers a single query, and queries in very many scopes or in a very large one,
 * from its rows.
 */
import type { NearestQuery } from "../../memory-store.ts";
import { type MemoryScopes, scopesAmong } from "../../rules/memory-scopes.ts";
import { SignProduct } from "../../signs/hamming.ts";
import { wordsHeldFor } from "../../signs/sign-memory.ts";
import type { Connections } from "../connections.ts";
import type { Candidate } from "../vectors/measure-candidates.ts";
import { hasMoreThan, readChangedSigns } from "./read-changed-signs.ts";
import { ScopeSigns } from "./scope-signs.ts";

export interface HeldLimits {
  /** Vectors of a scope. */
  readonly inAScope: number;
  /** Vectors and scopes in total: the least recently queried ones are dropped first. */
  readonly vectors: number;
  readonly scopes: number;
  /** Sign bits are read again after this time, whatever happened to the server meanwhile. */
  readonly milliseconds: number;
}

/** Comparing as many as a scope may have takes three milliseconds; all together take 60 megabytes. */
const LIMITS: HeldLimits = { inAScope: 250_000, vectors: 1_000_000, scopes: 256, milliseconds: 900_000 };
const MOST_SCOPES_ASKED = 32;
/** Share of the candidates: if more are missing, the sign bits are read again. */
const MISSING_SHARE = 1 / 4;

/** Vectors of one model in some scopes of a tenant. */
interface Wanted {
  readonly tenant: string;
  readonly model: string;
  readonly dimensions: number;
  readonly scopes: readonly string[];
}

export class HeldSigns {
  readonly #connections: Connections;
  readonly #limits: HeldLimits;
  readonly #held = new Map<string, ScopeSigns>();
  readonly #askedBefore = new Set<string>();
  readonly #tooLarge = new Set<string>();
  #catchingUp: Promise<unknown> = Promise.resolve();

  constructor(connections: Connections, limits = LIMITS) {
    this.#connections = connections;
    this.#limits = limits;
  }

  /** At most this many of those with the best sign bits. Undefined if the server has to be queried. */
  async candidates(
    access: MemoryScopes,
    query: NearestQuery,
    most: number,
  ): Promise<readonly Candidate[] | undefined> {
    const wanted = wantedOf(access, query);
    if (wanted === undefined || !this.#isWorthHolding(wanted)) return undefined;
    // One after the other: a later read must not be overwritten by an earlier one.
    const caughtUp = this.#catchingUp.then(() => this.#catchUp(wanted));
    this.#catchingUp = caughtUp.catch(() => {});
    const signs = await caughtUp;
    return signs === undefined ? undefined : best(signs, query.vector, most);
  }

  /**
   * Reports which of the candidates no longer have a vector, because they were erased: they are not proposed again. True if
   * they displaced so many others that it is better to query again.
   */
  noteMissing(
    access: MemoryScopes,
    query: NearestQuery,
    missing: readonly Candidate[],
    candidates: number,
  ): boolean {
    const wanted = wantedOf(access, query);
    if (wanted === undefined || missing.length === 0) return false;
    const isTooMuch = missing.length > candidates * MISSING_SHARE;
    let wereHeld = false;
    for (const [scope, gone] of Map.groupBy(missing, (candidate) => candidate.scope)) {
      const name = nameOf(wanted, scope);
      const signs = this.#held.get(name);
      wereHeld ||= signs !== undefined;
      if (isTooMuch) this.#held.delete(name);
      else signs?.leave(gone.map(({ number }) => number));
    }
    return isTooMuch && wereHeld;
  }

  /** The first query of a process is often its last. */
  #isWorthHolding(wanted: Wanted): boolean {
    const name = JSON.stringify([wanted.tenant, wanted.model]);
    const isKnown = this.#askedBefore.has(name);
    this.#askedBefore.add(name);
    return isKnown && !wanted.scopes.some((scope) => this.#tooLarge.has(nameOf(wanted, scope)));
  }

  /** By scope. Undefined if one of them is too large. */
  async #catchUp(wanted: Wanted): Promise<ReadonlyMap<string, ScopeSigns> | undefined> {
    const signs = new Map<string, ScopeSigns>();
    for (const scope of wanted.scopes) {
      const own = await this.#find(wanted, scope);
      if (own === undefined) return undefined;
      signs.set(scope, own);
    }
    while (await this.#readChanges(wanted, signs));
    this.#hold(wanted, signs);
    return signs;
  }

  /** The cached sign bits, or an empty set to be filled. Undefined if that would be too large. */
  async #find(wanted: Wanted, scope: string): Promise<ScopeSigns | undefined> {
    const name = nameOf(wanted, scope);
    const known = this.#held.get(name);
    if (known !== undefined && !known.isWorn(this.#limits.milliseconds)) return known;
    const { tenant, model } = wanted;
    const isTooLarge = await this.#connections.read((session) =>
      hasMoreThan(session, { tenant, model, scope }, this.#limits.inAScope),
    );
    if (!isTooLarge) return new ScopeSigns(wanted.dimensions);
    this.#tooLarge.add(name);
    this.#held.delete(name);
    return undefined;
  }

  /** True if there are more. */
  async #readChanges(wanted: Wanted, signs: Map<string, ScopeSigns>): Promise<boolean> {
    const known = [...signs].map(([scope, { seen }]) => ({ scope, seen }));
    const changed = await this.#connections.read((session) => readChangedSigns(session, wanted, known));
    for (const { scope, seen, records, isBehind } of changed) {
      if (isBehind) signs.set(scope, new ScopeSigns(wanted.dimensions));
      else signs.get(scope)?.take(records, seen);
    }
    return changed.some(({ hasMore, isBehind }) => hasMore || isBehind);
  }

  /** The most recently queried ones are last. */
  #hold(wanted: Wanted, signs: ReadonlyMap<string, ScopeSigns>): void {
    for (const [scope, own] of signs) {
      const name = nameOf(wanted, scope);
      this.#held.delete(name);
      this.#held.set(name, own);
    }
    let vectors = 0;
    for (const [place, [name, { count }]] of [...this.#held].toReversed().entries()) {
      vectors += count;
      const isTooMuch = place >= this.#limits.scopes || vectors > this.#limits.vectors;
      if (isTooMuch && place >= signs.size) this.#held.delete(name);
    }
  }
}

function best(
  signs: ReadonlyMap<string, ScopeSigns>,
  vector: Float32Array,
  most: number,
): readonly Candidate[] {
  const product = new SignProduct(vector, wordsHeldFor(vector.length));
  return [...signs]
    .flatMap(([scope, own]) => own.nearest(vector, product, most).map((near) => ({ scope, ...near })))
    .sort((a, b) => b.estimate - a.estimate)
    .slice(0, most);
}

function wantedOf(access: MemoryScopes, query: NearestQuery): Wanted | undefined {
  const scopes = scopesAmong(access, query.scopes);
  const { model, vector, states = ["active"] } = query;
  if (scopes === null || scopes.length > MOST_SCOPES_ASKED) return undefined;
  if (states.length !== 1 || states[0] !== "active") return undefined;
  return { tenant: access.tenant, model, dimensions: vector.length, scopes: [...new Set(scopes)] };
}

function nameOf({ tenant, model, dimensions }: Wanted, scope: string): string {
  return JSON.stringify([tenant, scope, model, dimensions]);
}
