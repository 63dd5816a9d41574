/**
 * Remembers what the last questions were embedded to: the same question is often asked of several indexes, or again.
 * Passages pass by; they are kept where they are stored.
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
      // Copies: a caller may do with its vectors what it likes.
      return texts.map((text) => new Float32Array(found.get(text) ?? []));
    },
    close: () => embedder.close(),
  };
}

/** A map keeps the order of insertion, so that the first is the one that was not asked for longest. */
function remember(known: Map<string, Float32Array>, text: string, vector: Float32Array): void {
  known.delete(text);
  known.set(text, vector);
  const [oldest] = known.keys();
  if (known.size > MOST_QUERIES && oldest !== undefined) known.delete(oldest);
}
