/** The caller's side of long-term memory: packs what is asked and unpacks what comes back. */
import type { Thread } from "../../threads/thread.ts";
import { EVERY_SCOPE, type MemoryAccess, type MemoryStore, type MemoryWriteResult } from "../memory-store.ts";
import type { ThreadAccess } from "./memory-access.ts";
import { type PackedSegments, unpackSegments } from "./memory-segments.ts";
import { packCommit } from "./packed-vectors.ts";
import type { StoreThreads } from "./store-threads.ts";
import { type PackedVectorPage, unpackVectors } from "./vectors.ts";

export class SqliteMemoryStore implements MemoryStore {
  readonly access: MemoryAccess;
  readonly #threads: StoreThreads;

  constructor(access: MemoryAccess, threads: StoreThreads) {
    this.access = access;
    this.#threads = threads;
  }

  commit: MemoryStore["commit"] = async (writes) => {
    const packed = packCommit(writes);
    const request = { access: this.#threadAccess, ...packed };
    return this.#threads.writer.handOver<MemoryWriteResult[]>([packed.floats.buffer], "commit", request);
  };

  memory: MemoryStore["memory"] = (id) => this.#read("memory", id);

  memoriesAt: MemoryStore["memoriesAt"] = (refs) => this.#read("memoriesAt", refs);

  memories: MemoryStore["memories"] = (query) => this.#read("memories", query);

  memoriesFrom: MemoryStore["memoriesFrom"] = (conversation, range) =>
    this.#read("memoriesFrom", conversation, range);

  memoriesAround: MemoryStore["memoriesAround"] = (places, reach) =>
    this.#read("memoriesAround", places, reach);

  memoryVersions: MemoryStore["memoryVersions"] = (id) => this.#read("memoryVersions", id);

  similarMemoryIds: MemoryStore["similarMemoryIds"] = (id) => this.#read("similarMemoryIds", id);

  memoryEvents: MemoryStore["memoryEvents"] = (id) => this.#read("memoryEvents", id);

  memoryCounts: MemoryStore["memoryCounts"] = () => this.#read("memoryCounts");

  decisions: MemoryStore["decisions"] = (query) => this.#read("decisions", query);

  capturedTo: MemoryStore["capturedTo"] = (conversation) => this.#read("capturedTo", conversation);

  nearestMemories: MemoryStore["nearestMemories"] = async ({ vector, ...query }) =>
    // A copy: the vector may be a part of something large, all of which would change threads.
    this.#ask(await this.#threads.searcher(), "nearestMemories", { ...query, vector: vector.slice() });

  memoryVectors: MemoryStore["memoryVectors"] = async (model, refs) =>
    unpackVectors(await this.#read<PackedVectorPage>("memoryVectors", model, refs));

  memoriesWithoutVectors: MemoryStore["memoriesWithoutVectors"] = (model, limit) =>
    this.#read("memoriesWithoutVectors", model, limit);

  vectorCounts: MemoryStore["vectorCounts"] = () => this.#read("vectorCounts");

  memoryIndex: MemoryStore["memoryIndex"] = () => this.#read("memoryIndex");

  memorySegments: MemoryStore["memorySegments"] = async (ids) =>
    unpackSegments(await this.#read<PackedSegments>("memorySegments", ids));

  async #read<Result>(name: string, ...values: readonly unknown[]): Promise<Result> {
    return this.#ask<Result>(await this.#threads.reader(), name, ...values);
  }

  #ask<Result>(thread: Thread, name: string, ...values: readonly unknown[]): Promise<Result> {
    return thread.call<Result>("read", name, this.#threadAccess, values);
  }

  /** A symbol does not change threads. */
  get #threadAccess(): ThreadAccess {
    const { tenant, scopes } = this.access;
    return { tenant, scopes: scopes === EVERY_SCOPE ? null : scopes };
  }
}
