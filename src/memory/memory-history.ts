/** How a memory came to be what it is: its versions, what was done to it, the words it came from, and what was decided. */
import type { Memory } from "../memory-types.ts";
import type { MemoryEvent, MemoryPage, StoredDecision } from "../store/memory-store.ts";
import { requireGiven } from "../text/given.ts";
import { type DecisionInput, decisionInput } from "./inputs.ts";
import type { MemoryDependencies } from "./memory-dependencies.ts";
import { type MemoryOrigins, readSource } from "./recall/read-source.ts";
import { requireMemory } from "./require-memory.ts";

export class MemoryHistory {
  readonly #use: MemoryDependencies;

  constructor(use: MemoryDependencies) {
    this.#use = use;
  }

  /** All versions of a memory, oldest first. */
  async versions(id: string): Promise<readonly Memory[]> {
    return this.#use.store.memoryVersions((await requireMemory(this.#use.store, id)).id);
  }

  /** What was done to a memory, oldest first. */
  async events(id: string): Promise<readonly MemoryEvent[]> {
    return this.#use.store.memoryEvents((await requireMemory(this.#use.store, id)).id);
  }

  /** The exact words that a memory came from. */
  async source(id: string): Promise<MemoryOrigins> {
    return readSource(id, this.#use);
  }

  /** What capturing decided about candidates, and why; newest first. */
  async decisions(input: DecisionInput = {}): Promise<MemoryPage<StoredDecision>> {
    const { limit = 50, ...query } = requireGiven("memory_decisions", decisionInput, input);
    return this.#use.store.decisions({ ...query, limit });
  }
}
