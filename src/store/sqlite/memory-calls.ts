/** What the store's threads can be asked about memories. Every read sees only the scopes of its access. */
import { countMemories } from "./count-memories.ts";
import type { Database } from "./database.ts";
import { listMemories } from "./list-memories.ts";
import { readMemoriesAround } from "./memories-around.ts";
import type { ThreadAccess } from "./memory-access.ts";
import { readCapturedTo, readDecisions } from "./memory-decisions.ts";
import { readMemoryFaults } from "./memory-faults.ts";
import { readMemoryIndex, readSegmentContents } from "./memory-segments.ts";
import { readMemoriesWithoutVectors, readVectorCounts, readVectors } from "./memory-vectors.ts";
import { readNearest } from "./nearest-memories.ts";
import {
  readMemoriesAt,
  readMemoriesFrom,
  readMemory,
  readMemoryEvents,
  readSimilarMemoryIds,
  readVersions,
} from "./read-memories.ts";

/** For reads in several steps: others may write in between. */
function inOneState<Values extends readonly unknown[], Result>(
  read: (database: Database, access: ThreadAccess, ...values: Values) => Result,
): typeof read {
  return (database, access, ...values) => database.snapshot(() => read(database, access, ...values));
}

export const MEMORY_READS = {
  memory: readMemory,
  memoriesAt: readMemoriesAt,
  memories: inOneState(listMemories),
  memoriesFrom: inOneState(readMemoriesFrom),
  memoryVersions: inOneState(readVersions),
  memoriesAround: inOneState(readMemoriesAround),
  similarMemoryIds: readSimilarMemoryIds,
  memoryEvents: readMemoryEvents,
  memoryCounts: inOneState(countMemories),
  decisions: readDecisions,
  capturedTo: readCapturedTo,
  nearestMemories: readNearest,
  memoryVectors: readVectors,
  memoriesWithoutVectors: readMemoriesWithoutVectors,
  vectorCounts: readVectorCounts,
  memoryFaults: inOneState(readMemoryFaults),
  memoryIndex: readMemoryIndex,
  memorySegments: readSegmentContents,
};
