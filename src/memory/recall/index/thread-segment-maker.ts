/** Makes segments in a thread, so that no caller's event loop waits for it. Small ones are made faster right here. */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { ThreadOptions } from "../../../threads/thread.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { buildSegment } from "./build-segment.ts";
import type { MemoryDocument } from "./memory-document.ts";
import { type MemorySegmentMaker, mergeContents } from "./segment-maker.ts";

/** What takes about as long as asking a thread. */
const SMALL_DOCUMENTS = 64;
const SMALL_BYTES = 64 * 1024;

export class ThreadMemorySegmentMaker implements MemorySegmentMaker {
  readonly #thread: ThreadWhenNeeded;

  constructor(log: Log) {
    this.#thread = new ThreadWhenNeeded(THREAD, log);
  }

  async build(documents: readonly MemoryDocument[]): Promise<Uint8Array> {
    const thread = documents.length <= SMALL_DOCUMENTS ? null : await this.#thread.started();
    return thread === null ? buildSegment(documents) : thread.call<Uint8Array>("build", documents);
  }

  async merge(contents: readonly Uint8Array[]): Promise<Uint8Array> {
    const size = contents.reduce((sum, { length }) => sum + length, 0);
    const thread = size <= SMALL_BYTES ? null : await this.#thread.started();
    return thread === null ? mergeContents(contents) : thread.call<Uint8Array>("merge", contents);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const THREAD: ThreadOptions = {
  file: "./worker",
  beside: import.meta.url,
  name: "palimpsest-memory-index",
  youngGenerationMb: 16,
  closed: () => new PalimpsestError("cancelled", "indexing was cancelled: the engine was closed"),
  stopped: (cause) =>
    new PalimpsestError("internal", "the thread that indexes memories has stopped", {
      advice: "Try again: another thread is started, and nothing is lost.",
      cause,
    }),
};
