/** Whole texts become vectors, passage by passage. */
import type { Embedder } from "./embedder.ts";
import { passagesOf } from "./split-passages.ts";

/** What the model can read of a text. */
export function readablePassages(text: string, { longestInput }: Embedder): readonly string[] {
  return passagesOf(text, { longestInput }).passages.map((passage) => passage.text);
}

/** Of each text the vectors of its passages, in their order. */
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
