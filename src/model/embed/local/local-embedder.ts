/**
 * Embeds on this machine, in a thread: without network, key, or blocking the caller's event loop. Texts are sent
 * one by one, so that a question waits for one passage at most, and an abort for none. The thread starts with the first
 * text and ends when there has been nothing to do for a while, since it holds 200 MB.
 */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { Thread, ThreadOptions } from "../../../threads/thread.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { unlessCancelled } from "../../../threads/unless-cancelled.ts";
import { cancelled, refuseCancelled } from "../../wait.ts";
import { CheckedEmbedder } from "../checked-embedder.ts";
import type { Embedder, EmbedOptions } from "../embedder.ts";

export const LOCAL_MODEL = "local/all-MiniLM-L6-v2#q8";

/**
 * Earlier engines had other precisions, so their vectors have other names. New questions find as much
 * among them: see docs/decisions/0023.
 */
export const EARLIER_LOCAL_MODELS: readonly string[] = [
  "local/all-MiniLM-L6-v2",
  "local/all-MiniLM-L6-v2#int8",
];

const DIMENSIONS = 384;
/** It reads 256 word pieces; two of them mark begin and end, and estimates are up to 7 % too low. */
const LONGEST_INPUT = 236;
const IDLE_MS = 60_000;

interface LocalEmbedderOptions {
  readonly log: Log;
  /** The model name of the vectors. Default: the current model. */
  readonly model?: string;
  /** Milliseconds without work after which the thread ends. Default: a minute. */
  readonly idleMs?: number;
}

export function localEmbedder(options: LocalEmbedderOptions): Embedder {
  const { log, model = LOCAL_MODEL, idleMs = IDLE_MS } = options;
  const thread = new EmbeddingThread(log, idleMs);
  return new CheckedEmbedder({
    model,
    comparable: EARLIER_LOCAL_MODELS,
    dimensions: DIMENSIONS,
    longestInput: LONGEST_INPUT,
    mostTexts: 64,
    embed: (texts, options) => thread.embed(texts, options),
    close: () => thread.close(),
  });
}

class EmbeddingThread {
  readonly #thread: ThreadWhenNeeded;
  readonly #idleMs: number;
  #atWork = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(log: Log, idleMs: number) {
    this.#thread = new ThreadWhenNeeded(THREAD, log);
    this.#idleMs = idleMs;
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
  }

  async #embedOne(thread: Thread | null, text: string): Promise<Float32Array> {
    if (thread !== null) return thread.call<Float32Array>("embed", text);
    const { embedWithMiniLm } = await import("./minilm.ts");
    return embedWithMiniLm(text);
  }

  #begin(): void {
    this.#atWork += 1;
    clearTimeout(this.#idle);
  }

  #end(): void {
    this.#atWork -= 1;
    if (this.#atWork > 0) return;
    this.#idle = setTimeout(() => this.#thread.rest(), this.#idleMs);
    // An idle timer must not keep the process alive.
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
    new PalimpsestError("internal", "the embedding thread has stopped", {
      advice: "Try again: a new thread is started, and nothing is lost.",
      cause,
    }),
};
