/**
 * The CPU-bound work on a chunk: reading its messages, rendering them, judging a model's answer, summarising
 * offline. It runs in a thread or here, with the same result for the caller.
 */
import type { UnreadSource } from "../source.ts";
import type { Answer, ChunkTerms, OfflineSummary, TakenAnswer } from "./chunk-work.ts";

export interface ChunkOpener {
  /** Says that chunks will come, so that what takes time to start is ready for them. */
  expectWork(): void;
  /**
   * Takes a chunk in, and the bytes of its messages with it: the caller must not read them any more. Rejects with
   * `cancelled` when the signal says so, as do the chunk's own calls.
   */
  open(source: UnreadSource, terms: ChunkTerms, signal?: AbortSignal): Promise<OpenChunk>;
}

export interface OpenChunk {
  /** As a model reads it; of a chunk that is kept word for word, the whole. */
  readonly text: string;
  /** Every file that it speaks of, also where a model sees it cut. */
  readonly fileIds: readonly string[];
  /** The summary that a model's answer makes, or what is wrong with it. */
  take(answer: Answer): Promise<TakenAnswer>;
  offline(): Promise<OfflineSummary>;
  /** The chunk is done with. */
  release(): void;
}
