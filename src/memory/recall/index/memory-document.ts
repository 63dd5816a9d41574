/** The indexed form of a memory. The words of a memory never change, so its form does not either. */
import type { StoredMemory } from "../../../store/memory-store.ts";
import { keyName } from "../../dedup/fact-key.ts";

export interface MemoryDocument {
  readonly abstract: string;
  readonly overview: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly isErased: boolean;
}

/** The document of an unused number or an erased memory, which no search finds. */
export const NO_DOCUMENT: MemoryDocument = {
  abstract: "",
  overview: "",
  content: "",
  tags: [],
  createdAt: 0,
  isErased: false,
};

/** In any state, since replaced and archived memories are searched too. */
export function documentOf(memory: StoredMemory): MemoryDocument {
  const createdAt = Date.parse(memory.createdAt);
  if (memory.erasedAt !== null) return { ...NO_DOCUMENT, createdAt, isErased: true };
  const { abstract, overview, content, factKey } = memory;
  // A fact key is indexed like a tag: "which editor" finds the memory with the key editor.
  const tags = factKey === null ? memory.tags : [...memory.tags, keyName(factKey)];
  return { abstract, overview, content, tags, createdAt, isErased: false };
}
