/** Embeds whole texts, passage by passage. */
import type { Embedder } from "./embedder.ts";
import { passagesOf } from "./split-passages.ts";

/** The passages of a text that the model can read. */
export function readablePassages(text: string, { longestInput }: Embedder): readonly string[] {
  return passagesOf(text, { longestInput }).passages.map((passage) => passage.text);
}

/** Returns the vectors of each text's passages, in their order. */
export async function embedPassages(
  texts: readonly (readonly string[])[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<readonly (readonly Float32Array[])[]> {
  const vectors = await embedder.embed(texts.flat(), {
    purpose: "passage",
    ...(signal === undefined ? {} : { signal }),
  });
  let next = 0;
  return texts.map(({ length }) => {
    next += length;
    return vectors.slice(next - length, next);
  });
}
