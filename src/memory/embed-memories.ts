/**
 * Computes the embeddings of memories. A memory is stored even if that fails: without embeddings of the configured
 * model it is found by its words only, and the embeddings are computed in the background.
 */
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { MemoryText } from "../memory-types.ts";
import { embedPassages, readablePassages } from "../model/embed/embed-passages.ts";
import type { Embedder } from "../model/embed/embedder.ts";

import type { MemoryStore, PassageVectors, StoredMemory } from "../store/memory-store.ts";

/** The embedded texts of a memory: the abstract and the full text, in passages that fit the model. */
function passagesOfMemory(
  { abstract, overview, content }: MemoryText,
  embedder: Embedder,
): readonly string[] {
  const rest = content === "" ? overview : content;
  const whole = rest === "" || rest === abstract ? abstract : `${abstract}\n${rest}`;
  return readablePassages(whole, embedder);
}

/** Embeds several memories at once, in their order. */
async function embedMemories(
  memories: readonly MemoryText[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<readonly PassageVectors[]> {
  const passages = memories.map((memory) => passagesOfMemory(memory, embedder));
  const embedded = await embedPassages(passages, embedder, signal);
  return embedded.map((vectors) => ({ model: embedder.model, vectors }));
}

/** Null without an embedder or when it fails. An abort is rethrown. */
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

/** Embeds all memories without embeddings of this model, oldest first. Can be stopped and resumed. */
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
