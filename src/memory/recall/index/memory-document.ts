/** What the word index knows a memory by. Its words never change, so neither does what the index says of it. */
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

/** A number that no memory has, or one whose memory is gone: nothing to be found by. */
export const NO_DOCUMENT: MemoryDocument = {
  abstract: "",
  overview: "",
  content: "",
  tags: [],
  createdAt: 0,
  isErased: false,
};

/** Whatever its state: those that were replaced or set aside are looked for as well. */
export function documentOf(memory: StoredMemory): MemoryDocument {
  const createdAt = Date.parse(memory.createdAt);
  if (memory.erasedAt !== null) return { ...NO_DOCUMENT, createdAt, isErased: true };
  const { abstract, overview, content, factKey } = memory;
  // A key is looked for as a tag is: "which editor" finds what is stored under the key editor.
  const tags = factKey === null ? memory.tags : [...memory.tags, keyName(factKey)];
  return { abstract, overview, content, tags, createdAt, isErased: false };
}
