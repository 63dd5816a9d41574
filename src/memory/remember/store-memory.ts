/**
 * What somebody says outright is worth keeping is kept: nothing is refused for looking like small talk. The same words
 * again change nothing and say which memory has them; another value of the same fact takes the place of the old one,
 * which stays on record.
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
  /** The new memory, or the one that says the same. */
  readonly memory: Memory;
  /** Ids of memories that are not in force any more. */
  readonly replaced: readonly string[];
  readonly reason: string;
}

/** Nearer than this, two sentences say the same in other words. */
const SAME_MEANING = 0.98;

export async function storeMemory(given: StoreInput, use: MemoryDependencies): Promise<StoreOutcome> {
  const input = requireGiven("memory_store", storeInput, given);
  const draft = await draftMemory(input, "manual", use);
  const [vectors] = (await tryToEmbed([draft], use)) ?? [];
  const same = input.force === true ? undefined : await findSame(draft, vectors, use);
  if (same !== undefined) return duplicateOf(same);
  return planAgain(() => rememberDraft(draft, vectors, use));
}

/** Whatever is in force under the same key is replaced in the same moment. */
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

/** Of a fact, what holds under its key. Else what says the same in its scope, by its words or by its meaning. */
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

/** So near that only small words differ. Only where all that is said is the same line. */
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
