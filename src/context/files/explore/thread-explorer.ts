/** Explores in a thread, so that no caller's event loop waits for it. Small contents are explored faster right here. */
import { PalimpsestError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { ThreadOptions } from "../../../threads/thread.ts";
import { ThreadWhenNeeded } from "../../../threads/thread-when-needed.ts";
import { describePlainly } from "./describe-plainly.ts";
import type { ContentAbout, Explorer } from "./explorer.ts";

/** Content that is explored in a few milliseconds. */
const SMALL_BYTES = 256 * 1024;

export class ThreadExplorer implements Explorer {
  readonly #thread: ThreadWhenNeeded;
  readonly #log: Log;

  constructor(log: Log) {
    this.#thread = new ThreadWhenNeeded(THREAD, log);
    this.#log = log;
  }

  async describe(content: Uint8Array, about: ContentAbout): Promise<string> {
    try {
      const thread = content.length < SMALL_BYTES ? null : await this.#thread.started();
      if (thread === null) {
        // Readers of every kind of file, which most processes never need.
        const { exploreContent } = await import("./explore-content.ts");
        return await exploreContent(content, about);
      }
      // A copy changes threads: the caller may need its own.
      const copy = new Uint8Array(content);
      return await thread.handOver<string>([copy.buffer], "explore", copy, about);
    } catch (error) {
      this.#log.warn({ err: error, bytes: content.length }, "a file could not be explored");
      return describePlainly(content);
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const THREAD: ThreadOptions = {
  file: "./explorer-worker",
  beside: import.meta.url,
  name: "palimpsest-explore",
  youngGenerationMb: 16,
  closed: () => new PalimpsestError("cancelled", "exploring was cancelled: the engine was closed"),
  stopped: (cause) =>
    new PalimpsestError("internal", "the thread that explores files has stopped", {
      advice: "The file is described plainly; another thread is started for the next one.",
      cause,
    }),
};
