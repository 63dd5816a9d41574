/** Long-term memory on PostgreSQL: what one holder may see of a tenant's memories. */
import type { MemoryAccess, MemoryStore, MemoryWrite } from "../../memory-store.ts";
import type { Connections } from "../connections.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import { nearestOf } from "../vectors/measure-candidates.ts";
import { commitMemories } from "./commit-memories.ts";
import { countMemories } from "./count-memories.ts";
import { listDecisions, readCapturedTo } from "./decisions.ts";
import { listMemories } from "./list-memories.ts";
import { readMemoriesAround } from "./memories-around.ts";
import { readMemoryFaults } from "./memory-faults.ts";
import { readMemoryIndex, readMemorySegments } from "./memory-segments.ts";
import { type NearMemories, nearestMemories } from "./nearest.ts";
import {
  findMemories,
  readMemoriesAt,
  readMemoriesFrom,
  readMemoryEvents,
  readSimilarMemoryIds,
  readVersions,
} from "./read-memories.ts";
import { countVectors, readVectors, readWithoutVectors } from "./read-vectors.ts";

export class PostgresMemoryStore implements MemoryStore {
  readonly access: MemoryAccess;
  readonly #connections: Connections;
  readonly #queue: OneAtATime;
  readonly #near: NearMemories;

  constructor(access: MemoryAccess, connections: Connections, queue: OneAtATime, near: NearMemories) {
    this.access = access;
    this.#connections = connections;
    this.#queue = queue;
    this.#near = near;
  }

  commit: MemoryStore["commit"] = async (writes) => {
    if (writes.length === 0) return [];
    const commit = () =>
      this.#connections.write((transaction) => commitMemories(transaction, this.access, writes));
    const scope = firstScope(writes);
    return scope === undefined
      ? commit()
      : this.#queue.run(JSON.stringify(["memories", this.access.tenant, scope]), commit);
  };

  memory: MemoryStore["memory"] = async (id) => (await this.memoriesById([id]))[0];

  memoriesById: MemoryStore["memoriesById"] = (ids) =>
    this.#connections.read((session) => findMemories(session, this.access, ids));

  memoriesAt: MemoryStore["memoriesAt"] = (refs) =>
    this.#connections.read((session) => readMemoriesAt(session, this.access, refs));

  memories: MemoryStore["memories"] = (query) =>
    this.#connections.read((session) => listMemories(session, this.access, query));

  memoriesFrom: MemoryStore["memoriesFrom"] = (conversation, range) =>
    this.#connections.read((session) => readMemoriesFrom(session, this.access, conversation, range));

  memoriesAround: MemoryStore["memoriesAround"] = (places, reach) =>
    this.#connections.read((session) => readMemoriesAround(session, this.access, places, reach));

  memoryVersions: MemoryStore["memoryVersions"] = (id) =>
    this.#connections.read((session) => readVersions(session, this.access, id));

  similarMemoryIds: MemoryStore["similarMemoryIds"] = (id) =>
    this.#connections.read((session) => readSimilarMemoryIds(session, this.access, id));

  memoryEvents: MemoryStore["memoryEvents"] = (id) =>
    this.#connections.read((session) => readMemoryEvents(session, this.access, id));

  memoryCounts: MemoryStore["memoryCounts"] = () =>
    this.#connections.read((session) => countMemories(session, this.access));

  decisions: MemoryStore["decisions"] = (query) =>
    this.#connections.read((session) => listDecisions(session, this.access, query));

  capturedTo: MemoryStore["capturedTo"] = (conversation) =>
    this.#connections.read((session) => readCapturedTo(session, this.access, conversation));

  nearestMemories: MemoryStore["nearestMemories"] = (query) =>
    nearestMemories(this.#connections, this.#near, this.access, query);

  memoryVectors: MemoryStore["memoryVectors"] = (model, refs) =>
    this.#connections.read((session) => readVectors(session, this.access, model, refs));

  memoryCosines: MemoryStore["memoryCosines"] = async (model, vector, refs) =>
    (await this.memoryVectors(model, refs)).map((passages) => nearestOf(passages, vector));

  memoriesWithoutVectors: MemoryStore["memoriesWithoutVectors"] = (model, limit) =>
    this.#connections.read((session) => readWithoutVectors(session, this.access, model, limit));

  vectorCounts: MemoryStore["vectorCounts"] = () =>
    this.#connections.read((session) => countVectors(session, this.access));

  memoryFaults: MemoryStore["memoryFaults"] = () =>
    this.#connections.read((session) => readMemoryFaults(session, this.access));

  memoryIndex: MemoryStore["memoryIndex"] = () =>
    this.#connections.read((session) => readMemoryIndex(session, this.access));

  memorySegments: MemoryStore["memorySegments"] = (ids) =>
    this.#connections.read((session) => readMemorySegments(session, this.access, ids));
}

/** Commits of one process to one scope queue here instead of taking every connection to wait in the database. */
function firstScope(writes: readonly MemoryWrite[]): string | undefined {
  for (const write of writes) {
    if (write.kind === "remember") return write.memory.scope;
    if (write.kind === "vectors") return write.ref.scope;
    if (write.kind === "drop-vectors" || write.kind === "prune-vectors") return write.refs[0]?.scope;
    if (write.kind === "memory-index" && write.segment !== null) return write.segment.scope;
  }
  return undefined;
}
