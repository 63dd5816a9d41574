/**
 * Gives memories their vectors. A memory is stored whether or not that works: what has no vectors of the configured
 * model yet is found by its words, and gets them in the background.
 */
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { MemoryText } from "../memory-types.ts";
import { embedPassages, readablePassages } from "../model/embed/embed-passages.ts";
import type { Embedder } from "../model/embed/embedder.ts";

import type { MemoryStore, PassageVectors, StoredMemory } from "../store/memory-store.ts";

/** What is embedded of a memory: its line, and all that is known, in passages that the model can read whole. */
function passagesOfMemory(
  { abstract, overview, content }: MemoryText,
  embedder: Embedder,
): readonly string[] {
  const rest = content === "" ? overview : content;
  const whole = rest === "" || rest === abstract ? abstract : `${abstract}\n${rest}`;
  return readablePassages(whole, embedder);
}

/** Of several memories at once, in their order. */
async function embedMemories(
  memories: readonly MemoryText[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<readonly PassageVectors[]> {
  const passages = memories.map((memory) => passagesOfMemory(memory, embedder));
  const embedded = await embedPassages(passages, embedder, signal);
  return embedded.map((vectors) => ({ model: embedder.model, vectors }));
}

/** Null when there is no embedder or it does not answer now. Being stopped is passed on. */
export async function tryToEmbed(
  memories: readonly MemoryText[],
  { embedder, log }: { readonly embedder: Embedder | null; readonly log: Log },
  signal?: AbortSignal,
): Promise<readonly PassageVectors[] | null> {
  if (embedder === null) return null;
  try {
    return await embedMemories(memories, embedder, signal);
  } catch (error) {
    if (isPalimpsestError(error, "cancelled")) throw error;
    log.warn({ model: embedder.model, problem: messageOf(error) }, "memories are embedded later");
    return null;
  }
}

export interface FillOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number }) => void;
}

const BATCH = 32;

/** Embeds what has no vectors of this model, oldest first, until nothing is left. Can be stopped and gone on with. */
export async function fillVectors(
  store: MemoryStore,
  embedder: Embedder,
  options: FillOptions = {},
): Promise<number> {
  let done = 0;
  for (;;) {
    if (options.signal?.aborted === true) throw new PalimpsestError("cancelled", "embedding was cancelled");
    const waiting = await store.memoriesWithoutVectors(embedder.model, BATCH);
    if (waiting.length === 0) return done;
    await store.commit(await vectorWrites(waiting, embedder, options.signal));
    done += waiting.length;
    options.onProgress?.({ done });
  }
}

async function vectorWrites(
  waiting: readonly StoredMemory[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
) {
  const embedded = await embedMemories(waiting, embedder, signal);
  return waiting.flatMap(({ scope, number }, place) => {
    const vectors = embedded[place];
    return vectors === undefined ? [] : [{ kind: "vectors" as const, ref: { scope, number }, vectors }];
  });
}
