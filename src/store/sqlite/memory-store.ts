/** The caller's side of long-term memory: packs calls and unpacks answers. */
import type { Thread } from "../../threads/thread.ts";
import type { MemoryAccess, MemoryStore } from "../memory-store.ts";
import { memoryScopes } from "../rules/memory-scopes.ts";
import { type PackedSegments, unpackSegments } from "./memory-calls.ts";
import { type PackedResult, packCommit, unpackResults } from "./packed-commit.ts";
import type { StoreThreads } from "./thread.ts";
import { type PackedVectorPage, unpackVectors } from "./vectors/vectors.ts";

export function memoryStore(access: MemoryAccess, threads: StoreThreads): MemoryStore {
  const scopes = memoryScopes(access);
  const ask = <Result>(thread: Thread, name: string, values: readonly unknown[]) =>
    thread.call<Result>("read", name, scopes, values);
  const read = async <Result>(name: string, ...values: readonly unknown[]) =>
    ask<Result>(await threads.reader(), name, values);
  /** A read whose arguments and answer are transferred unchanged. */
  const plain =
    <Result>(name: string) =>
    (...values: readonly unknown[]) =>
      read<Result>(name, ...values);
  /** A read with a JSON answer. */
  const json =
    (name: string) =>
    async (...values: readonly unknown[]) =>
      JSON.parse(await read<string>(name, ...values));
  const memoriesById: MemoryStore["memoriesById"] = json("memoriesById");
  return {
    access,
    commit: async (writes) => {
      const packed = packCommit(writes);
      const request = { access: scopes, ...packed };
      const results = threads.writer.handOver<PackedResult[]>([packed.floats.buffer], "commit", request);
      return unpackResults(writes, await results);
    },
    memory: async (id) => (await memoriesById([id]))[0],
    memoriesById,
    memoriesAt: json("memoriesAt"),
    memories: json("memories"),
    changedMemories: plain("changedMemories"),
    memoriesFrom: json("memoriesFrom"),
    memoriesAround: json("memoriesAround"),
    memoryVersions: json("memoryVersions"),
    similarMemoryIds: plain("similarMemoryIds"),
    memoryEvents: plain("memoryEvents"),
    memoryCounts: plain("memoryCounts"),
    decisions: json("decisions"),
    capturedTo: plain("capturedTo"),
    nearestMemories: async ({ vector, ...query }) =>
      // A copy: the vector may be a part of a large buffer, which would be transferred as a whole.
      ask(await threads.searcher(), "nearestMemories", [{ ...query, vector: vector.slice() }]),
    memoryVectors: async (model, refs) =>
      unpackVectors(await read<PackedVectorPage>("memoryVectors", model, refs)),
    memoryCosines: (model, vector, refs) => read("memoryCosines", model, vector.slice(), refs),
    memoriesWithoutVectors: json("memoriesWithoutVectors"),
    vectorCounts: plain("vectorCounts"),
    memoryFaults: plain("memoryFaults"),
    memoryIndex: plain("memoryIndex"),
    memorySegments: async (ids) => unpackSegments(await read<PackedSegments>("memorySegments", ids)),
  };
}
