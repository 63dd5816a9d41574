/**
 * The writes of a batch that are decided but not yet committed: the batch is one commit. The next
 * candidate is compared with the memories as they will be then, so that two candidates never replace the same memory, and
 * a repeated statement is not stored twice.
 */
import { UNTOUCHED } from "../../memory-types.ts";
import type { MemoryWrite, RememberWrite, ReviseWrite, StoredMemory } from "../../store/memory-store.ts";
import { cosine } from "../cosine.ts";
import { type FoundMatch, isSameWording } from "./find-matches.ts";
import { takesBack } from "./takes-back.ts";
import { ALWAYS_MERGED, JUDGED } from "./verdict.ts";
import type { Candidate } from "./writes-of.ts";

interface Pending {
  readonly memory: StoredMemory;
  readonly vector: Float32Array | null;
}

export class PendingMemories {
  readonly #new = new Map<string, Pending>();
  readonly #revised = new Map<string, StoredMemory>();
  readonly #replaced = new Set<string>();

  /** In the order of writing; `known` contains the memories that they change. */
  add(writes: readonly MemoryWrite[], known: readonly StoredMemory[]): void {
    for (const write of writes) {
      if (write.kind === "remember") this.#remember(write);
      if (write.kind === "revise") this.#revise(write, known);
    }
  }

  /** The matches of a candidate: those found in the store that are still current, and pending ones. */
  meet(candidate: Candidate, found: readonly FoundMatch[]): readonly FoundMatch[] {
    const met = [...this.#new.values()].flatMap((one) => matchOf(candidate, one));
    const still = found
      .filter(({ memory }) => !this.#replaced.has(memory.id))
      .map((match) => ({ ...match, memory: this.#revised.get(match.memory.id) ?? match.memory }));
    return [...met, ...still];
  }

  #remember({ memory, supersedes, supersededBy, vectors }: RememberWrite): void {
    if (supersededBy !== undefined) return;
    for (const id of supersedes) {
      this.#replaced.add(id);
      this.#new.delete(id);
    }
    const stored = { ...memory, ...UNTOUCHED, number: 0, updatedAt: memory.createdAt, supersedes };
    this.#new.set(memory.id, { memory: stored, vector: vectors?.vectors[0] ?? null });
  }

  #revise({ id, changes, addSources = [], event }: ReviseWrite, known: readonly StoredMemory[]): void {
    const before = known.find((memory) => memory.id === id);
    if (before === undefined) return;
    const { support = before.support } = changes;
    const memory = { ...before, support, sources: [...before.sources, ...addSources], updatedAt: event.at };
    const pending = this.#new.get(id);
    if (pending === undefined) this.#revised.set(id, memory);
    else this.#new.set(id, { ...pending, memory });
  }
}

/** Matches by the same criteria as in the store. */
function matchOf({ memory, vectors }: Candidate, pending: Pending): FoundMatch[] {
  const vector = vectors?.vectors[0];
  const near = vector === undefined || pending.vector === null ? null : cosine(vector, pending.vector);
  const known = pending.memory;
  const isMet =
    known.scope === memory.scope &&
    ((known.factKey !== null && known.factKey === memory.factKey) ||
      (ALWAYS_MERGED.has(memory.category) && known.category === memory.category) ||
      (near !== null && near >= JUDGED.least) ||
      isSameWording(known, memory) ||
      takesBack(memory.abstract, known.abstract));
  return isMet ? [{ memory: known, cosine: near }] : [];
}
