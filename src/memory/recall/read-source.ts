/** From a memory back to the exact words that it came from. */
import { isPalimpsestError } from "../../errors.ts";
import type { Memory, MemorySource } from "../../memory-types.ts";
import type { MemoryDependencies, Said } from "../memory-dependencies.ts";
import { requireMemory } from "../require-memory.ts";

export interface MemoryOrigins {
  readonly memory: Memory;
  readonly sources: readonly SourceWords[];
}

export interface SourceWords extends MemorySource {
  /** What was said, oldest first; empty where it is not there any more. */
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

/** A conversation may belong to another agent, or be gone: then only its place is told. */
async function wordsOf(source: MemorySource, readSaid: MemoryDependencies["readSaid"]): Promise<SourceWords> {
  const range = { from: source.firstSeq, to: source.lastSeq };
  try {
    return { ...source, messages: await readSaid(source.conversation, range) };
  } catch (error) {
    if (!isPalimpsestError(error, "not-found")) throw error;
    return { ...source, messages: [] };
  }
}
