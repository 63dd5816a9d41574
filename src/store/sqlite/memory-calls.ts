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
  readMemoriesById,
  readMemoriesFrom,
  readMemory,
  readMemoryEvents,
  readSimilarMemoryIds,
  readVersions,
} from "./read-memories.ts";
import { readCosines } from "./vector-cosines.ts";

/** For reads in several steps: others may write in between. */
function inOneState<Values extends readonly unknown[], Result>(
  read: (database: Database, access: ThreadAccess, ...values: Values) => Result,
): typeof read {
  return (database, access, ...values) => database.snapshot(() => read(database, access, ...values));
}

/** Many rows change threads as one text: to be written and read again costs half of being copied object by object. */
function asText<Values extends readonly unknown[]>(
  read: (database: Database, access: ThreadAccess, ...values: Values) => unknown,
): (database: Database, access: ThreadAccess, ...values: Values) => string {
  return (database, access, ...values) => JSON.stringify(read(database, access, ...values));
}

export const MEMORY_READS = {
  memory: readMemory,
  memoriesById: readMemoriesById,
  memoriesAt: readMemoriesAt,
  memories: inOneState(listMemories),
  memoriesFrom: inOneState(readMemoriesFrom),
  memoryVersions: inOneState(readVersions),
  memoriesAround: asText(inOneState(readMemoriesAround)),
  similarMemoryIds: readSimilarMemoryIds,
  memoryEvents: readMemoryEvents,
  memoryCounts: inOneState(countMemories),
  decisions: asText(readDecisions),
  capturedTo: readCapturedTo,
  nearestMemories: readNearest,
  memoryVectors: readVectors,
  memoryCosines: readCosines,
  memoriesWithoutVectors: readMemoriesWithoutVectors,
  vectorCounts: readVectorCounts,
  memoryFaults: inOneState(readMemoryFaults),
  memoryIndex: readMemoryIndex,
  memorySegments: readSegmentContents,
};
