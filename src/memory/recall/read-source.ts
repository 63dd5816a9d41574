/** Reads the source messages of a memory. */
import { isPalimpsestError } from "../../errors.ts";
import type { Memory, MemorySource } from "../../memory-types.ts";
import type { MemoryDependencies, Said } from "../memory-dependencies.ts";
import { requireMemory } from "../require-memory.ts";

export interface MemoryOrigins {
  readonly memory: Memory;
  readonly sources: readonly SourceWords[];
}

interface SourceWords extends MemorySource {
  /** The messages, oldest first; empty if they no longer exist. */
  readonly messages: readonly Said[];
}

export async function readSource(
  id: string,
  { store, readSaid }: Pick<MemoryDependencies, "store" | "readSaid">,
): Promise<MemoryOrigins> {
  const memory = await requireMemory(store, id);
  const sources = await Promise.all(memory.sources.map((source) => wordsOf(source, readSaid)));
  return { memory, sources };
}

/** A conversation of another agent or a deleted one gives only the position. */
async function wordsOf(source: MemorySource, readSaid: MemoryDependencies["readSaid"]): Promise<SourceWords> {
  const range = { from: source.firstSeq, to: source.lastSeq };
  try {
    return { ...source, messages: await readSaid(source.conversation, range) };
  } catch (error) {
    if (!isPalimpsestError(error, "not-found")) throw error;
    return { ...source, messages: [] };
  }
}
