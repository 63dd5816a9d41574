/** What the word index needs of a store. */
import type { MemoryStore } from "../../../store/memory-store.ts";

export type IndexStore = Pick<MemoryStore, "memoriesAt" | "memoryIndex" | "memorySegments" | "commit">;
