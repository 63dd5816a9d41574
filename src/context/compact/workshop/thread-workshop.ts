/** Works on chunks in a thread, so that no caller's event loop waits for it. */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import type { ThreadOptions } from "../../../threads/thread.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import type { UnreadSource } from "../source.ts";
import { unlessCancelled } from "./cancelled.ts";
import type { ChunkTerms } from "./chunk-work.ts";
import { inlineWorkshop } from "./inline-workshop.ts";
import type { OpenChunk, Workshop } from "./workshop.ts";

/** Enough for the words of a chunk, most of which are done with before the next one. */
const YOUNG_GENERATION_MB = 16;

export class ThreadWorkshop implements Workshop {
  readonly #thread: ThreadWhenNeeded;
  #nextChunk = 1;

  constructor(log: Log) {
    this.#thread = new ThreadWhenNeeded(THREAD, log);
  }

  expectWork(): void {
    // Whoever opens a chunk sees what went wrong.
    this.#thread.started().catch(() => {});
  }

  async open(source: UnreadSource, terms: ChunkTerms, signal?: AbortSignal): Promise<OpenChunk> {
    const thread = await unlessCancelled(this.#thread.started(), signal);
    if (thread === null) return inlineWorkshop(estimateTokens).open(source, terms, signal);
    const chunk = this.#nextChunk++;
    const release = () => thread.tell("release", chunk);
    const ask = <Result>(call: string, ...values: readonly unknown[]) =>
      unlessCancelled(thread.call<Result>(call, chunk, ...values), signal);
    try {
      const opening = thread.handOver<Opened>(buffersOf(source), "open", chunk, source, terms);
      const opened = await unlessCancelled(opening, signal);
      return { ...opened, release, take: (answer) => ask("take", answer), offline: () => ask("offline") };
    } catch (error) {
      release();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

type Opened = Pick<OpenChunk, "text" | "fileIds">;

/** Each once, however many messages lie in it. */
function buffersOf(source: UnreadSource): ArrayBuffer[] {
  const messages = source.kind === "leaf" ? source.messages : [];
  return [...new Set(messages.map(({ content }) => content.buffer))];
}

const THREAD: ThreadOptions = {
  file: "./workshop-worker",
  beside: import.meta.url,
  name: "palimpsest-compact",
  youngGenerationMb: YOUNG_GENERATION_MB,
  closed: () => new PalimpsestError("cancelled", "the compaction was cancelled: the engine was closed"),
  stopped: (cause) =>
    new PalimpsestError("internal", "the thread that compacts has stopped", {
      advice: "Compact again: another thread is started, and nothing is lost.",
      cause,
    }),
};
