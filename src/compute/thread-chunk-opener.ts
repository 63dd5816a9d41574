/** Works on chunks in a thread, so that no caller's event loop waits for it. */

import type { ChunkOpener, OpenChunk } from "../context/compact/chunks/chunk-opener.ts";
import type { ChunkTerms } from "../context/compact/chunks/chunk-work.ts";
import { inlineChunkOpener, unlessCancelled } from "../context/compact/chunks/inline-chunk-opener.ts";
import type { UnreadSource } from "../context/compact/source.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import type { ThreadWhenNeeded } from "../threads/thread-when-needed.ts";

export class ThreadChunkOpener implements ChunkOpener {
  readonly #thread: ThreadWhenNeeded;
  #nextChunk = 1;

  constructor(thread: ThreadWhenNeeded) {
    this.#thread = thread;
  }

  expectWork(): void {
    // If the thread does not start, opening a chunk reports the error.
    this.#thread.started().then(
      (thread) => thread?.tell("expectChunks"),
      () => {},
    );
  }

  async open(source: UnreadSource, terms: ChunkTerms, signal?: AbortSignal): Promise<OpenChunk> {
    const thread = await unlessCancelled(this.#thread.started(), signal);
    if (thread === null) return inlineChunkOpener(estimateTokens).open(source, terms, signal);
    const chunk = this.#nextChunk++;
    const release = () => thread.tell("releaseChunk", chunk);
    const ask = <Result>(call: string, ...values: readonly unknown[]) =>
      unlessCancelled(thread.call<Result>(call, chunk, ...values), signal);
    try {
      const opening = thread.handOver<Opened>(buffersOf(source), "openChunk", chunk, source, terms);
      const opened = await unlessCancelled(opening, signal);
      return {
        ...opened,
        release,
        take: (answer) => ask("takeAnswer", answer),
        offline: () => ask("summariseOffline"),
      };
    } catch (error) {
      release();
      throw error;
    }
  }
}

type Opened = Pick<OpenChunk, "text" | "fileIds">;

/** Each buffer once, even if several messages share it. */
function buffersOf(source: UnreadSource): ArrayBuffer[] {
  const messages = source.kind === "leaf" ? source.messages : [];
  return [...new Set(messages.map(({ content }) => content.buffer))];
}
