/** The caller's side of long-term memory: packs what is asked and unpacks what comes back. */
import type { Thread } from "../../threads/thread.ts";
import type { MemoryAccess, MemoryStore } from "../memory-store.ts";
import { memoryScopes } from "../rules/memory-scopes.ts";
import { type PackedSegments, unpackSegments } from "./memory-calls.ts";
import { type PackedResult, packCommit, unpackResults } from "./packed-commit.ts";
import type { StoreThreads } from "./store-threads.ts";
import { type PackedVectorPage, unpackVectors } from "./vectors/vectors.ts";

export class SqliteMemoryStore implements MemoryStore {
  readonly access: MemoryAccess;
  readonly #threads: StoreThreads;

  constructor(access: MemoryAccess, threads: StoreThreads) {
    this.access = access;
    this.#threads = threads;
  }

  commit: MemoryStore["commit"] = async (writes) => {
    const packed = packCommit(writes);
    const request = { access: memoryScopes(this.access), ...packed };
    const results = this.#threads.writer.handOver<PackedResult[]>([packed.floats.buffer], "commit", request);
    return unpackResults(writes, await results);
  };

  memory: MemoryStore["memory"] = async (id) => (await this.memoriesById([id]))[0];

  memoriesById: MemoryStore["memoriesById"] = (ids) => this.#readText("memoriesById", ids);

  memoriesAt: MemoryStore["memoriesAt"] = (refs) => this.#readText("memoriesAt", refs);

  memories: MemoryStore["memories"] = (query) => this.#readText("memories", query);

  changedMemories: MemoryStore["changedMemories"] = (limit) => this.#read("changedMemories", limit);

  memoriesFrom: MemoryStore["memoriesFrom"] = (conversation, range) =>
    this.#readText("memoriesFrom", conversation, range);

  memoriesAround: MemoryStore["memoriesAround"] = (places, reach) =>
    this.#readText("memoriesAround", places, reach);

  memoryVersions: MemoryStore["memoryVersions"] = (id) => this.#readText("memoryVersions", id);

  similarMemoryIds: MemoryStore["similarMemoryIds"] = (id) => this.#read("similarMemoryIds", id);

  memoryEvents: MemoryStore["memoryEvents"] = (id) => this.#read("memoryEvents", id);

  memoryCounts: MemoryStore["memoryCounts"] = () => this.#read("memoryCounts");

  decisions: MemoryStore["decisions"] = (query) => this.#readText("decisions", query);

  capturedTo: MemoryStore["capturedTo"] = (conversation) => this.#read("capturedTo", conversation);

  nearestMemories: MemoryStore["nearestMemories"] = async ({ vector, ...query }) =>
    // A copy: the vector may be a part of something large, all of which would change threads.
    this.#ask(await this.#threads.searcher(), "nearestMemories", { ...query, vector: vector.slice() });

  memoryVectors: MemoryStore["memoryVectors"] = async (model, refs) =>
    unpackVectors(await this.#read<PackedVectorPage>("memoryVectors", model, refs));

  memoryCosines: MemoryStore["memoryCosines"] = (model, vector, refs) =>
    this.#read("memoryCosines", model, vector.slice(), refs);

  memoriesWithoutVectors: MemoryStore["memoriesWithoutVectors"] = (model, limit) =>
    this.#readText("memoriesWithoutVectors", model, limit);

  vectorCounts: MemoryStore["vectorCounts"] = () => this.#read("vectorCounts");

  memoryFaults: MemoryStore["memoryFaults"] = () => this.#read("memoryFaults");

  memoryIndex: MemoryStore["memoryIndex"] = () => this.#read("memoryIndex");

  memorySegments: MemoryStore["memorySegments"] = async (ids) =>
    unpackSegments(await this.#read<PackedSegments>("memorySegments", ids));

  async #read<Result>(name: string, ...values: readonly unknown[]): Promise<Result> {
    return this.#ask<Result>(await this.#threads.reader(), name, ...values);
  }

  async #readText<Result>(name: string, ...values: readonly unknown[]): Promise<Result> {
    return JSON.parse(await this.#read<string>(name, ...values));
  }

  #ask<Result>(thread: Thread, name: string, ...values: readonly unknown[]): Promise<Result> {
    return thread.call<Result>("read", name, memoryScopes(this.access), values);
  }
}
