/** The built model in the cache folder. Building takes a second or two, so it is done once; whoever finds it opens it. */
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildMiniLm } from "./build-minilm.ts";
import { readSafetensors } from "./read-safetensors.ts";
import type { Runtime, Session } from "./runtime.ts";

/** Raised when another file would be built from the same weights. */
const LAYOUT = 1;
/** More threads wait for each other more than they help. */
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" };

export async function openModelFile(runtime: Runtime, weightsPath: string, folder: string): Promise<Session> {
  const { size } = await stat(weightsPath);
  const file = path.join(folder, `all-MiniLM-L6-v2-int8-${LAYOUT}-${size}.onnx`);
  const { create } = runtime.InferenceSession;
  // Not there, or not whole: in both cases another one is built.
  const kept = await create(file, OPTIONS).catch(() => null);
  if (kept !== null) return kept;
  const { model } = buildMiniLm(readSafetensors(new Uint8Array(await readFile(weightsPath))));
  await keep(file, model);
  return create(model, OPTIONS);
}

/** A folder that cannot be written to costs time at the next start, and nothing else. */
async function keep(file: string, model: Uint8Array): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(unfinished, model);
    await rename(unfinished, file);
  } catch {
    await rm(unfinished, { force: true }).catch(() => {});
  }
}
