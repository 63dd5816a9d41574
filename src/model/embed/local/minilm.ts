/**
 * all-MiniLM-L6-v2 with weights of eight bits, run by ONNX Runtime in WebAssembly on one thread. Model, vocabulary and
 * runtime are files in one folder: nothing is downloaded. They are loaded with the first text, which takes a third of a
 * second and 200 MB, so this belongs in a worker.
 */
import { readFile } from "node:fs/promises";
import zlib from "node:zlib";
import { messageOf, PalimpsestError } from "../../../errors.ts";
import { modelFolder } from "./model-folder.ts";
import { type Vocabulary, wordPieces } from "./word-pieces.ts";

type Runtime = typeof import("onnxruntime-web/wasm");

interface LoadedModel {
  readonly vocabulary: Vocabulary;
  run(pieces: BigInt64Array): Promise<Float32Array>;
}

/** The model reads no more of a text. */
const MOST_PIECES = 256;

let loading: Promise<LoadedModel> | undefined;

export async function embedWithMiniLm(text: string): Promise<Float32Array> {
  loading ??= load();
  const { vocabulary, run } = await loading;
  return run(wordPieces(text, vocabulary, MOST_PIECES));
}

async function load(): Promise<LoadedModel> {
  try {
    const folder = await modelFolder();
    const words = await readFile(new URL("vocabulary.txt", folder), "utf8");
    const vocabulary = new Map(words.split("\n").map((word, id) => [word, id]));
    return { vocabulary, run: await openModel(folder) };
  } catch (error) {
    loading = undefined;
    throw notLoaded(error);
  }
}

async function openModel(folder: URL): Promise<LoadedModel["run"]> {
  const { env, InferenceSession, Tensor }: Runtime = await import(new URL("runtime.mjs", folder).href);
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = zlib.zstdDecompressSync(await readFile(new URL("runtime.wasm.zst", folder)));
  const model = await readFile(new URL("model.onnx", folder));
  // It was written as the runtime would optimise it.
  const session = await InferenceSession.create(model, { graphOptimizationLevel: "disabled" });
  const [input = ""] = session.inputNames;
  const [output = ""] = session.outputNames;
  return async (pieces) => {
    const answer = await session.run({ [input]: new Tensor("int64", pieces, [pieces.length]) });
    const vector = answer[output]?.data;
    if (!(vector instanceof Float32Array)) throw new Error("the local embedding model returned no vector");
    return vector;
  };
}

function notLoaded(error: unknown): PalimpsestError {
  return new PalimpsestError(
    "model-unavailable",
    `the local embedding model cannot be loaded: ${messageOf(error)}`,
    {
      advice:
        'Install palimpsest again (in a checkout: npm ci), name another embeddingModel, or set it to "off".',
      cause: error,
      isRetryable: false,
    },
  );
}
