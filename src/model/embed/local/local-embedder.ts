/**
 * Embeds on this machine, in a thread: no network, no key, and no caller's event loop that waits. Texts are handed over
 * one by one, so that a question waits for one passage at most, and an abort for none. The thread starts with the first
 * text and ends when there has been nothing to do for a while, since it holds 250 MB.
 */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { beforeExit, notBeforeExit } from "../../../threads/before-exit.ts";
import type { Thread, ThreadOptions } from "../../../threads/thread.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { unlessCancelled } from "../../../threads/unless-cancelled.ts";
import { cancelled, refuseCancelled } from "../../wait.ts";
import { CheckedEmbedder } from "../checked-embedder.ts";
import type { Embedder, EmbedOptions } from "../embedder.ts";
import { newGate, shut } from "./onnx/run-gate.ts";
import { isRuntimeInstalled } from "./onnx/runtime.ts";

/** The fast engine's vectors are not the same, so they have a name of their own. */
export const LOCAL_MODELS = {
  exact: "local/all-MiniLM-L6-v2",
  fast: "local/all-MiniLM-L6-v2#int8",
} as const;
export type LocalEngine = keyof typeof LOCAL_MODELS;

const DIMENSIONS = 384;
/** It reads 256 word pieces; two of them mark begin and end, and estimates are up to 7 % too low. */
const LONGEST_INPUT = 236;
const IDLE_MS = 60_000;
/** A text takes less by far, also on a busy machine. */
const LAST_RUN_MS = 10_000;

interface LocalEmbedderOptions {
  readonly log: Log;
  /** Where the fast engine keeps what it builds. */
  readonly cacheFolder: string;
  /** Default: the fast one where `onnxruntime-node` is installed. */
  readonly engine?: LocalEngine;
  /** Milliseconds without work after which the thread ends. Default: a minute. */
  readonly idleMs?: number;
}

export function localEmbedder(options: LocalEmbedderOptions): Embedder {
  const { log, cacheFolder, idleMs = IDLE_MS } = options;
  const engine = options.engine ?? (isRuntimeInstalled() ? "fast" : "exact");
  const thread = new EmbeddingThread({ log, cacheFolder, engine, idleMs });
  return new CheckedEmbedder({
    model: LOCAL_MODELS[engine],
    dimensions: DIMENSIONS,
    longestInput: LONGEST_INPUT,
    mostTexts: 64,
    embed: (texts, options) => thread.embed(texts, options),
    close: () => thread.close(),
  });
}

class EmbeddingThread {
  readonly #thread: ThreadWhenNeeded;
  readonly #options: Required<LocalEmbedderOptions>;
  readonly #gate = newGate();
  readonly #beforeExit = () => shut(this.#gate, LAST_RUN_MS);
  #atWork = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: Required<LocalEmbedderOptions>) {
    // The exact engine can be ended at any moment, the fast one between two texts.
    const endsByItself = options.engine === "fast";
    this.#thread = new ThreadWhenNeeded({ ...THREAD, endsByItself }, options.log);
    this.#options = options;
    if (endsByItself) beforeExit(this.#beforeExit);
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<readonly Float32Array[]> {
    this.#begin();
    try {
      const thread = await unlessCancelled(this.#thread.started(), signal, cancelled);
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        refuseCancelled(signal);
        vectors.push(await unlessCancelled(this.#embedOne(thread, text), signal, cancelled));
      }
      return vectors;
    } finally {
      this.#end();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread.close();
    notBeforeExit(this.#beforeExit);
  }

  async #embedOne(thread: Thread | null, text: string): Promise<Float32Array> {
    const { engine, cacheFolder } = this.#options;
    if (thread !== null) return thread.call<Float32Array>(engine, text, cacheFolder, this.#gate);
    const { embedWithMiniLm } = await import("./minilm.ts");
    const { embedWithFastMiniLm } = await import("./onnx/fast-minilm.ts");
    return engine === "fast" ? embedWithFastMiniLm(text, cacheFolder, this.#gate) : embedWithMiniLm(text);
  }

  #begin(): void {
    this.#atWork += 1;
    clearTimeout(this.#idle);
  }

  #end(): void {
    this.#atWork -= 1;
    if (this.#atWork > 0) return;
    this.#idle = setTimeout(() => this.#thread.rest(), this.#options.idleMs);
    // To do nothing is no reason for a process to stay.
    this.#idle.unref();
  }
}

const THREAD: ThreadOptions = {
  file: "./embedder-worker",
  beside: import.meta.url,
  name: "palimpsest-embed",
  youngGenerationMb: 8,
  closed: () => new PalimpsestError("cancelled", "embedding was cancelled: the engine was closed"),
  stopped: (cause) =>
    new PalimpsestError("internal", "the thread that embeds has stopped", {
      advice: "Embed again: another thread is started, and nothing is lost.",
      cause,
    }),
};
