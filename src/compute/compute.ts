/**
 * CPU-bound work, done in worker threads of the engine so that no caller's event loop waits for it. A thread starts with the
 * first work for it and ends with the engine. Small work is faster on the caller's thread. All work runs there when no thread
 * can be started, which is logged.
 *
 * There are two threads with one entry point. Building or merging a segment blocks a thread for one to two seconds, and a
 * chunk of a compaction takes milliseconds, so they do not share a thread.
 */
import type { ChunkOpener } from "../context/compact/chunks/chunk-opener.ts";
import { describePlainly } from "../context/files/explore/describe-plainly.ts";
import type { Explorer } from "../context/files/explore/explorer.ts";
import type { MessageSegmentMaker } from "../context/retrieve/index/message-indexer.ts";
import { PalimpsestError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { MemorySegmentMaker } from "../memory/recall/index/memory-indexer.ts";
import type { ThreadOptions } from "../threads/thread.ts";
import { ThreadWhenNeeded } from "../threads/thread-when-needed.ts";
import { COMPUTE_CALLS, type ComputeCall, type ComputeInputs, type ComputeResults } from "./compute-calls.ts";
import { ThreadChunkOpener } from "./thread-chunk-opener.ts";

/** Work up to this size takes about as long as a call to a thread. Exploring this many bytes takes a few milliseconds. */
const SMALL = {
  messageBytes: 16 * 1024,
  memories: 64,
  memorySegmentBytes: 64 * 1024,
  fileBytes: 256 * 1024,
};

export class Compute {
  readonly #log: Log;
  readonly #compaction: ThreadWhenNeeded;
  readonly #filesAndSegments: ThreadWhenNeeded;
  /** Works on the chunks of compactions. */
  readonly chunkOpener: ChunkOpener;

  constructor(log: Log) {
    this.#log = log;
    this.#compaction = new ThreadWhenNeeded(threadNamed("palimpsest-compact"), log);
    this.#filesAndSegments = new ThreadWhenNeeded(threadNamed("palimpsest-compute"), log);
    this.chunkOpener = new ThreadChunkOpener(this.#compaction);
  }

  /** Builds segments of the search index of messages. */
  readonly messageSegments: MessageSegmentMaker = {
    build: (documents) => {
      const size = sumOf(documents, ({ content }) => content?.length ?? 0);
      return this.#run("buildMessageSegment", documents, { isSmall: size <= SMALL.messageBytes });
    },
    merge: (segments) => this.#run("mergeMessageSegments", segments, { isSmall: false }),
  };

  /** Loads what the first small segment needs, and starts the thread for the first large one. */
  async warmUp(): Promise<void> {
    const blank = { time: 0, speaker: "user", tools: [], format: null } as const;
    for (const length of [1, SMALL.messageBytes + 1])
      await this.messageSegments.build([{ ...blank, content: " ".repeat(length) }]);
  }

  /** Builds segments of the word index of memories. */
  readonly memorySegments: MemorySegmentMaker = {
    build: (documents) =>
      this.#run("buildMemorySegment", documents, { isSmall: documents.length <= SMALL.memories }),
    merge: (contents) => {
      const size = sumOf(contents, ({ length }) => length);
      return this.#run("mergeMemorySegments", contents, { isSmall: size <= SMALL.memorySegmentBytes });
    },
  };

  /** Describes files. */
  readonly explorer: Explorer = {
    describe: async (content, about) => {
      try {
        if (content.length < SMALL.fileBytes)
          return await this.#run("exploreFile", { content, about }, { isSmall: true });
        // The copy is transferred, because the caller may still need the original.
        const copy = new Uint8Array(content);
        return await this.#run(
          "exploreFile",
          { content: copy, about },
          { isSmall: false, buffers: [copy.buffer] },
        );
      } catch (error) {
        this.#log.warn({ err: error, bytes: content.length }, "a file could not be explored");
        return describePlainly(content);
      }
    },
  };

  /** Terminates the threads immediately; pending calls fail with `cancelled`. */
  async close(): Promise<void> {
    await Promise.all([this.#compaction.close(), this.#filesAndSegments.close()]);
  }

  /** `buffers` are parts of the input that are transferred instead of copied. */
  async #run<Call extends ComputeCall>(
    call: Call,
    input: ComputeInputs[Call],
    { isSmall, buffers = [] }: { readonly isSmall: boolean; readonly buffers?: readonly ArrayBuffer[] },
  ): Promise<ComputeResults[Call]> {
    const thread = isSmall ? null : await this.#filesAndSegments.started();
    return thread === null ? COMPUTE_CALLS[call](input) : thread.handOver(buffers, call, input);
  }
}

function sumOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

function threadNamed(name: string): ThreadOptions {
  return {
    file: "./compute-worker",
    beside: import.meta.url,
    name,
    youngGenerationMb: 16,
    closed: () => new PalimpsestError("cancelled", "the work was cancelled: the engine was closed"),
    stopped: (cause) =>
      new PalimpsestError("internal", `the worker thread ${name} has stopped`, {
        advice: "Try again: a new thread is started, and nothing is lost.",
        cause,
      }),
  };
}
