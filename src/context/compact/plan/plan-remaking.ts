/**
 * Summaries in the context that are truncations, because no model was available or its summaries were too long.
 * Once a model is available they are remade from their sources, before their neighbours are condensed without them.
 */
import type { ScopedStore, ShapeItem, StoredSummary } from "../../../store/store.ts";
import type { Chunk, Standing } from "./chunk.ts";

export async function planRemaking(store: ScopedStore, items: readonly ShapeItem[]): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (const item of items) {
    if (item.type !== "summary" || item.quality !== "fallback") continue;
    const summary = await store.summary(item.summary);
    if (summary !== undefined) chunks.push(await toChunk(store, summary));
  }
  return chunks;
}

async function toChunk(
  store: ScopedStore,
  { id, tokenCount, sources, sourceTokenCount, depth }: StoredSummary,
): Promise<Chunk> {
  const replaces: Standing = { summary: id, tokenCount };
  if (sources.type === "messages")
    return { kind: "leaf", seqs: sources.seqs, tokens: sourceTokenCount, isShort: false, replaces };
  const { ids } = sources;
  const below = await Promise.all(ids.map((source) => store.summary(source)));
  const tokens = below.reduce((sum, source) => sum + (source?.tokenCount ?? 0), 0);
  return { kind: "condensed", depth, ids, tokens, replaces };
}
