/** What the store's threads can be asked about memories. Every read sees only the scopes of its access. */
import { listMemories } from "./list-memories.ts";
import { readMemoriesAround } from "./memories-around.ts";
import { readCapturedTo, readDecisions } from "./memory-decisions.ts";
import { readMemoryIndex, readSegmentContents } from "./memory-segments.ts";
import { readMemoriesWithoutVectors, readVectorCounts, readVectors } from "./memory-vectors.ts";
import { readNearest } from "./nearest-memories.ts";
import {
  readMemoriesAt,
  readMemoriesFrom,
  readMemory,
  readMemoryCounts,
  readMemoryEvents,
  readSimilarMemoryIds,
  readVersions,
} from "./read-memories.ts";

export const MEMORY_READS = {
  memory: readMemory,
  memoriesAt: readMemoriesAt,
  memories: listMemories,
  memoriesFrom: readMemoriesFrom,
  memoriesAround: readMemoriesAround,
  memoryVersions: readVersions,
  similarMemoryIds: readSimilarMemoryIds,
  memoryEvents: readMemoryEvents,
  memoryCounts: readMemoryCounts,
  decisions: readDecisions,
  capturedTo: readCapturedTo,
  nearestMemories: readNearest,
  memoryVectors: readVectors,
  memoriesWithoutVectors: readMemoriesWithoutVectors,
  vectorCounts: readVectorCounts,
  memoryIndex: readMemoryIndex,
  memorySegments: readSegmentContents,
};
