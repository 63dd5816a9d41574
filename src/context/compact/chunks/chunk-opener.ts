/**
 * The CPU-bound work on a chunk: reading its messages, rendering them, judging a model's response, summarising
 * offline. It runs in a worker thread or in this one, with the same result for the caller.
 */
import type { UnreadSource } from "../source.ts";
import type { Answer, ChunkTerms, OfflineSummary, TakenAnswer } from "./chunk-work.ts";

export interface ChunkOpener {
  /** Announces chunks, so that slow start-up work begins early. */
  expectWork(): void;
  /**
   * Takes ownership of a chunk and the bytes of its messages: the caller must not read them any more. Rejects with
   * `cancelled` if the signal aborts, as do the chunk's own calls.
   */
  open(source: UnreadSource, terms: ChunkTerms, signal?: AbortSignal): Promise<OpenChunk>;
}

export interface OpenChunk {
  /** The text for the model; for a short chunk, the full text. */
  readonly text: string;
  /** Every file that it mentions, including in parts that are cut for the model. */
  readonly fileIds: readonly string[];
  /** Turns a model's response into a summary, or says what is wrong with it. */
  take(answer: Answer): Promise<TakenAnswer>;
  offline(): Promise<OfflineSummary>;
  /** Frees the chunk. */
  release(): void;
}
