/**
 * Stores an explicitly given memory: nothing is rejected for looking like small talk. The same words
 * again change nothing and return the known memory; another value of the same fact replaces the old one,
 * which is kept as superseded.
 */
import type { Memory } from "../../memory-types.ts";
import type { NewMemory, PassageVectors, StoredMemory } from "../../store/memory-store.ts";
import { requireGiven } from "../../text/given.ts";
import { isoTime } from "../../text/timestamps.ts";
import { isSameWording, sayingTheSame } from "../dedup/find-matches.ts";
import { tryToEmbed } from "../embed-memories.ts";
import { type StoreInput, storeInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import { draftMemory, storedAt } from "./draft-memory.ts";
import { endReplaced, requireLatest } from "./require-latest.ts";

export interface StoreOutcome {
  /** `duplicate`: the same is known already, and nothing was stored. */
  readonly action: "created" | "superseded" | "duplicate";
  /** The new memory, or the known equivalent one. */
  readonly memory: Memory;
  /** Ids of memories that are no longer current. */
  readonly replaced: readonly string[];
  readonly reason: string;
}

/** Above this cosine, two sentences are paraphrases. */
const SAME_MEANING = 0.98;

export async function storeMemory(given: StoreInput, use: MemoryDependencies): Promise<StoreOutcome> {
  const input = requireGiven("memory_store", storeInput, given);
  const draft = await draftMemory(input, "manual", use);
  const [vectors] = (await tryToEmbed([draft], use)) ?? [];
  const same = input.force === true ? undefined : await findSame(draft, vectors, use);
  if (same !== undefined) return duplicateOf(same);
  return planAgain(() => rememberDraft(draft, vectors, use));
}

/** The current memory with the same key is replaced in the same commit. */
async function rememberDraft(
  draft: NewMemory,
  vectors: PassageVectors | undefined,
  { store, clock }: Pick<MemoryDependencies, "store" | "clock">,
): Promise<StoreOutcome> {
  const before = await inForce(draft, store);
  const memory = storedAt(draft, isoTime(clock()));
  requireLatest(memory, before);
  const replaced = before.map(({ id }) => id);
  const reason =
    replaced.length === 0 ? "no known memory is similar" : `it replaces the value of ${draft.factKey}`;
  const results = await store.commit([
    ...endReplaced(before, memory),
    {
      kind: "remember",
      memory,
      supersedes: replaced,
      detail: JSON.stringify({ reason }),
      ...(vectors === undefined ? {} : { vectors }),
    },
  ]);
  const result = results.at(-1);
  if (result?.kind !== "remember") throw new Error("the store confirmed a different write");
  return {
    action: replaced.length === 0 ? "created" : "superseded",
    memory: result.memory,
    replaced,
    reason,
  };
}

async function inForce(
  { factKey, scope }: NewMemory,
  store: MemoryDependencies["store"],
): Promise<readonly StoredMemory[]> {
  if (factKey === null) return [];
  return (await store.memories({ factKey, scopes: [scope] })).rows;
}

/** For a fact, the current memory of its key with the same words. Otherwise an equivalent memory of its scope, by words or semantically. */
async function findSame(
  draft: NewMemory,
  vectors: PassageVectors | undefined,
  use: MemoryDependencies,
): Promise<StoredMemory | undefined> {
  if (draft.factKey !== null)
    return (await inForce(draft, use.store)).find((memory) => isSameWording(memory, draft));
  const saying = await sayingTheSame(draft, use);
  return saying.find((memory) => isSameWording(memory, draft)) ?? nearest(saying, vectors, use);
}

/** A memory so similar that only function words differ. Only if the abstract is its whole text. */
async function nearest(
  saying: readonly StoredMemory[],
  vectors: PassageVectors | undefined,
  { store }: MemoryDependencies,
): Promise<StoredMemory | undefined> {
  const [vector, ...more] = vectors?.vectors ?? [];
  if (saying.length === 0 || vectors === undefined || vector === undefined || more.length > 0)
    return undefined;
  const refs = saying.map(({ scope, number }) => ({ scope, number }));
  const cosines = await store.memoryCosines(vectors.model, vector, refs);
  const place = cosines.findIndex((cosine) => (cosine ?? 0) >= SAME_MEANING);
  return saying[place];
}

function duplicateOf(memory: StoredMemory): StoreOutcome {
  return { action: "duplicate", memory, replaced: [], reason: `${memory.id} contains the same fact` };
}
