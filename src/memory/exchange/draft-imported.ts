/** Turns an imported memory into a stored one and fills in what its file does not contain. */
import { isPalimpsestError } from "../../errors.ts";
import type { MemorySource } from "../../memory-types.ts";
import type { NewMemory } from "../../store/memory-store.ts";
import type { ImportUse } from "./import-memories.ts";
import { type ImportedMemory, withTimes } from "./imported-memory.ts";

export async function draftImported(
  memory: ImportedMemory,
  { scope, now, factKey }: { scope: string; now: string; factKey: string | null },
  { readSaid }: ImportUse,
): Promise<NewMemory> {
  const { id, category, abstract, overview, content, tags, support, relations, validUntil } = memory;
  const { createdAt, validFrom } = withTimes(memory, now);
  return {
    ...{ id, scope, category, abstract, overview, content, factKey, tags, support, relations, validUntil },
    tier: memory.tier ?? "working",
    importance: memory.importance ?? 0.7,
    confidence: memory.confidence ?? 0.8,
    temporalType: memory.temporalType ?? "static",
    sources: await sourcesHere(memory.sources, readSaid),
    origin: memory.origin,
    speaker: memory.speaker,
    createdAt,
    validFrom,
  };
}

/** Sources in conversations that are not in this store are dropped. */
async function sourcesHere(
  sources: readonly MemorySource[],
  readSaid: ImportUse["readSaid"],
): Promise<readonly MemorySource[]> {
  const known = await Promise.all(sources.map((source) => isHere(source, readSaid)));
  return sources.filter((_, place) => known[place]);
}

async function isHere(
  { conversation, firstSeq, lastSeq }: MemorySource,
  readSaid: ImportUse["readSaid"],
): Promise<boolean> {
  try {
    const said = await readSaid(conversation, { from: firstSeq, to: lastSeq });
    return said.length === lastSeq - firstSeq + 1;
  } catch (error) {
    if (isPalimpsestError(error, "not-found")) return false;
    throw error;
  }
}
