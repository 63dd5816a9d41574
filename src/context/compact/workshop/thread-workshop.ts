/**
 * Works on chunks in a thread, so that no caller's event loop waits for it. The thread starts when work is expected, and
 * again after it stopped by itself. Where none can be started the work is done here, which is slower for everybody else.
 */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { Thread } from "../../../threads/thread.ts";
import type { UnreadSource } from "../source.ts";
import { cancelled, unlessCancelled } from "./cancelled.ts";
import type { ChunkTerms } from "./chunk-work.ts";
import { inlineWorkshop } from "./inline-workshop.ts";
import type { OpenChunk, Workshop } from "./workshop.ts";

/** Enough for the words of a chunk, most of which are done with before the next one. */
const YOUNG_GENERATION_MB = 16;

export class ThreadWorkshop implements Workshop {
  readonly #log: Log;
  #thread: Promise<Thread | null> | undefined;
  #nextChunk = 1;
  #closed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  expectWork(): void {
    // Whoever opens a chunk sees what went wrong.
    this.#started().catch(() => {});
  }

  async open(source: UnreadSource, terms: ChunkTerms, signal?: AbortSignal): Promise<OpenChunk> {
    const thread = await unlessCancelled(this.#started(), signal);
    if (thread === null) return inlineWorkshop(estimateTokens).open(source, terms, signal);
    const chunk = this.#nextChunk++;
    const release = () => thread.tell("release", chunk);
    const ask = <Result>(call: string, ...values: readonly unknown[]) =>
      unlessCancelled(thread.call<Result>(call, chunk, ...values), signal);
    try {
      const opened = await ask<Pick<OpenChunk, "text" | "fileIds">>("open", source, terms);
      return { ...opened, release, take: (answer) => ask("take", answer), offline: () => ask("offline") };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#thread)?.terminate();
  }

  async #started(): Promise<Thread | null> {
    if (this.#closed) throw cancelled();
    this.#thread ??= this.#start();
    const started = this.#thread;
    const thread = await started;
    if (thread === null || thread.isOpen) return thread;
    if (this.#thread === started) this.#thread = undefined;
    return this.#started();
  }

  async #start(): Promise<Thread | null> {
    try {
      return await startThread();
    } catch (error) {
      this.#log.warn({ err: error }, "no thread for compaction could be started; it is done in this one");
      return null;
    }
  }
}

function startThread(): Promise<Thread> {
  return Thread.start({
    file: "./worker",
    beside: import.meta.url,
    name: "palimpsest-compact",
    youngGenerationMb: YOUNG_GENERATION_MB,
    closed: () => new PalimpsestError("cancelled", "the compaction was cancelled: the engine was closed"),
    stopped: (cause) =>
      new PalimpsestError("internal", "the thread that compacts has stopped", {
        advice: "Compact again: another thread is started, and nothing is lost.",
        cause,
      }),
  });
}
