/**
 * Stores many memories at once, unchanged: they are not compared semantically with known ones, only by id or key.
 * Each batch is stored atomically; when it is stopped, stored batches stay.
 */
import { PalimpsestError } from "../../errors.ts";
import type { NewMemory, PassageVectors, RememberWrite, StoredMemory } from "../../store/memory-store.ts";
import { factOf, takesPlaceOf } from "../../store/rules/fact-order.ts";
import { requireGiven } from "../../text/given.ts";
import { isoTime } from "../../text/timestamps.ts";
import { type StoreInput, storeManyInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import { draftMemory, storedAt } from "./draft-memory.ts";
import { requireBegun } from "./require-latest.ts";

export interface StoreManyInput extends StoreInput {
  /** Embeddings of its passages, if the caller has them. Otherwise they are computed in the background. */
  readonly vectors?: PassageVectors;
}

export interface StoreManyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number }) => void;
}

const BATCH = 512;

export async function storeMany(
  given: readonly StoreManyInput[],
  use: MemoryDependencies,
  options: StoreManyOptions = {},
): Promise<readonly StoredMemory[]> {
  const stored: StoredMemory[] = [];
  for (let start = 0; start < given.length; start += BATCH) {
    if (options.signal?.aborted === true) throw new PalimpsestError("cancelled", "storing was cancelled");
    const drafts: Draft[] = [];
    for (const [place, one] of given.slice(start, start + BATCH).entries())
      drafts.push(await draftOf(one, start + place, drafts, use));
    stored.push(...(await planAgain(() => rememberAll(drafts, use))));
    options.onProgress?.({ done: stored.length });
  }
  return stored;
}

interface Draft {
  readonly memory: NewMemory;
  readonly vectors: PassageVectors | undefined;
}

async function draftOf(
  given: StoreManyInput,
  place: number,
  others: readonly Draft[],
  use: MemoryDependencies,
): Promise<Draft> {
  const { vectors, ...input } = requireGiven(`storeMany: memories[${place}]`, storeManyInput, given);
  const keyed = input.factKey === undefined ? [] : others.map(({ memory }) => memory);
  return { memory: await draftMemory(input, "manual", use, keyed), vectors };
}

/** Each is compared with the memories that are current at that point, including earlier ones of the batch. */
async function rememberAll(
  drafts: readonly Draft[],
  { store, clock }: Pick<MemoryDependencies, "store" | "clock">,
): Promise<readonly StoredMemory[]> {
  const inForce = await keysInForce(drafts, store);
  const now = isoTime(clock());
  const writes = drafts.map(({ memory: draft, vectors }): RememberWrite => {
    const memory = storedAt(draft, now);
    const fact = factOf(memory);
    const holder = fact === null ? undefined : inForce.get(fact);
    if (holder !== undefined) requireBegun(memory, holder);
    const isLate = holder !== undefined && !takesPlaceOf(memory, holder, now);
    if (fact !== null && !isLate) inForce.set(fact, memory);
    return {
      kind: "remember",
      memory,
      supersedes: holder === undefined || isLate ? [] : [holder.id],
      ...(isLate ? { supersededBy: { id: holder.id, createdAt: holder.createdAt } } : {}),
      detail: JSON.stringify({ reason: "stored with many others" }),
      ...(vectors === undefined ? {} : { vectors }),
    };
  });
  const results = await store.commit(writes);
  return results.flatMap((result) => (result.kind === "remember" ? [result.memory] : []));
}

async function keysInForce(
  drafts: readonly Draft[],
  store: MemoryDependencies["store"],
): Promise<Map<string, NewMemory>> {
  const facts = new Map(drafts.map(({ memory }) => [factOf(memory), memory]));
  const inForce = new Map<string, NewMemory>();
  for (const [fact, { factKey, scope }] of facts) {
    if (fact === null || factKey === null) continue;
    const [holder] = (await store.memories({ factKey, scopes: [scope], limit: 1 })).rows;
    if (holder !== undefined) inForce.set(fact, holder);
  }
  return inForce;
}
