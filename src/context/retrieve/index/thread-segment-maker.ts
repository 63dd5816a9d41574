/** Makes segments in a thread, so that no caller's event loop waits for it. Small ones are made faster right here. */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { ThreadOptions } from "../../../threads/thread.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { type BuiltSegment, buildSegment, type IndexedDocument } from "./build-segment.ts";
import { mergeSegments } from "./merge-segments.ts";
import type { SegmentMaker } from "./segment-maker.ts";

/** Content that takes about as long as asking a thread. */
const SMALL_BYTES = 16 * 1024;

export class ThreadSegmentMaker implements SegmentMaker {
  readonly #thread: ThreadWhenNeeded;

  constructor(log: Log) {
    this.#thread = new ThreadWhenNeeded(THREAD, log);
  }

  async build(documents: readonly IndexedDocument[]): Promise<BuiltSegment> {
    const size = documents.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    const thread = size <= SMALL_BYTES ? null : await this.#thread.started();
    return thread === null ? buildSegment(documents) : thread.call<BuiltSegment>("build", documents);
  }

  async merge(segments: readonly BuiltSegment[]): Promise<BuiltSegment> {
    const thread = await this.#thread.started();
    return thread === null ? mergeSegments(segments) : thread.call<BuiltSegment>("merge", segments);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const THREAD: ThreadOptions = {
  file: "./worker",
  beside: import.meta.url,
  name: "palimpsest-index",
  youngGenerationMb: 16,
  closed: () => new PalimpsestError("cancelled", "indexing was cancelled: the engine was closed"),
  stopped: (cause) =>
    new PalimpsestError("internal", "the thread that indexes has stopped", {
      advice: "Search again: another thread is started, and nothing is lost.",
      cause,
    }),
};
