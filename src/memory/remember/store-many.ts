/**
 * Very many memories at once, as they are: nothing is compared with what is known by meaning, only a known id or key
 * is. In batches, each of which is stored whole; what was stored stays when it is stopped.
 */
import { PalimpsestError } from "../../errors.ts";
import type { NewMemory, PassageVectors, RememberWrite, StoredMemory } from "../../store/memory-store.ts";
import { isoTime } from "../../text/timestamps.ts";
import { parseInput, type StoreInput, storeInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import { draftMemory, storedAt } from "./draft-memory.ts";

export interface StoreManyInput extends StoreInput {
  /** Vectors of its passages, where the caller has them. Otherwise they are made in the background. */
  readonly vectors?: PassageVectors;
}

export interface StoreManyOptions {
  readonly signal?: AbortSignal;
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
    const drafts = await Promise.all(given.slice(start, start + BATCH).map((one) => draftOf(one, use)));
    stored.push(...(await planAgain(() => rememberAll(drafts, use))));
    options.onProgress?.({ done: stored.length });
  }
  return stored;
}

interface Draft {
  readonly memory: NewMemory;
  readonly vectors: PassageVectors | undefined;
}

async function draftOf({ vectors, ...given }: StoreManyInput, use: MemoryDependencies): Promise<Draft> {
  const input = parseInput("memory_store", storeInput, given);
  return { memory: await draftMemory(input, "manual", use), vectors };
}

/** Of one key, the last one of the batch is in force at its end. */
async function rememberAll(
  drafts: readonly Draft[],
  { store, clock }: Pick<MemoryDependencies, "store" | "clock">,
): Promise<readonly StoredMemory[]> {
  const inForce = await keysInForce(drafts, store);
  const now = isoTime(clock());
  const writes = drafts.map(({ memory: draft, vectors }): RememberWrite => {
    const memory = storedAt(draft, now);
    const key = keyOf(memory);
    const supersedes = key === null ? [] : (inForce.get(key) ?? []);
    if (key !== null) inForce.set(key, [memory.id]);
    const detail = JSON.stringify({ reason: "stored with many others" });
    return { kind: "remember", memory, supersedes, detail, ...(vectors === undefined ? {} : { vectors }) };
  });
  const results = await store.commit(writes);
  return results.flatMap((result) => (result.kind === "remember" ? [result.memory] : []));
}

async function keysInForce(
  drafts: readonly Draft[],
  store: MemoryDependencies["store"],
): Promise<Map<string, readonly string[]>> {
  const inForce = new Map<string, readonly string[]>();
  for (const { memory } of drafts) {
    const key = keyOf(memory);
    if (key === null || inForce.has(key) || memory.factKey === null) continue;
    const { rows } = await store.memories({ factKey: memory.factKey, scopes: [memory.scope] });
    inForce.set(
      key,
      rows.map(({ id }) => id),
    );
  }
  return inForce;
}

function keyOf({ scope, factKey }: NewMemory): string | null {
  return factKey === null ? null : JSON.stringify([scope, factKey]);
}
