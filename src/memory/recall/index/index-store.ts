/** The part of a store that the word index uses. */
import type { MemoryStore } from "../../../store/memory-store.ts";

export type IndexStore = Pick<MemoryStore, "memoriesAt" | "memoryIndex" | "memorySegments" | "commit">;
