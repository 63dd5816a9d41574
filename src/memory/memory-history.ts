/** The history of a memory: its versions, events, source messages and the decisions of capture. */
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

  /** The events of a memory, oldest first. */
  async events(id: string): Promise<readonly MemoryEvent[]> {
    return this.#use.store.memoryEvents((await requireMemory(this.#use.store, id)).id);
  }

  /** The source messages of a memory. */
  async source(id: string): Promise<MemoryOrigins> {
    return readSource(id, this.#use);
  }

  /** The decisions of capture about candidates with their reasons; newest first. */
  async decisions(input: DecisionInput = {}): Promise<MemoryPage<StoredDecision>> {
    const { limit = 50, ...query } = requireGiven("memory_decisions", decisionInput, input);
    return this.#use.store.decisions({ ...query, limit });
  }
}
