/**
 * Caches the embeddings of the last questions, since the same question is often used for several indexes, or again.
 * Passages are not cached, since they are stored.
 */
import type { Embedder } from "./embedder.ts";

const MOST_QUERIES = 256;

export function withQueryCache(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  return {
    model: embedder.model,
    comparable: embedder.comparable,
    longestInput: embedder.longestInput,
    get dimensions() {
      return embedder.dimensions;
    },
    async embed(texts, options) {
      if (options.purpose === "passage") return embedder.embed(texts, options);
      const fresh = [...new Set(texts)].filter((text) => !known.has(text));
      const found = new Map(texts.map((text) => [text, known.get(text)]));
      const vectors = fresh.length === 0 ? [] : await embedder.embed(fresh, options);
      for (const [place, text] of fresh.entries()) found.set(text, vectors[place]);
      for (const [text, vector] of found) if (vector !== undefined) remember(known, text, vector);
      // Copies, since a caller may change its vectors.
      return texts.map((text) => new Float32Array(found.get(text) ?? []));
    },
    close: () => embedder.close(),
  };
}

/** A map keeps the order of insertion, so the first entry is the least recently used. */
function remember(known: Map<string, Float32Array>, text: string, vector: Float32Array): void {
  known.delete(text);
  known.set(text, vector);
  const [oldest] = known.keys();
  if (known.size > MOST_QUERIES && oldest !== undefined) known.delete(oldest);
}
