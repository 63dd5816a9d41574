/**
 * The part of the contract that stores embeddings of messages: vectors of what people and assistants said, one for each
 * passage. It is a cache, rebuilt by a model after a load; a store does not interpret it. Messages of a conversation are
 * embedded in order, and the progress is stored with them, so that embedding can be interrupted and resumed. Erasing or
 * deleting a message removes its vectors in the same commit.
 */
import type { DocumentRef } from "./search-store.ts";

export interface MessageVectorStore {
  /**
   * The nearest messages by cosine among vectors of this model, each once, by its nearest passage; the nearest first, then by
   * conversation and seq.
   */
  nearestMessages(query: NearestMessagesQuery): Promise<readonly NearMessage[]>;
  /** The vectors of the passages of these messages, in the order of the refs; empty for a message without vectors of this model. */
  messageVectors(model: string, refs: readonly DocumentRef[]): Promise<readonly (readonly Float32Array[])[]>;
  /** Messages that are pending for this model: one run for each conversation, the oldest first. */
  unembedded(model: string, query?: UnembeddedQuery): Promise<readonly MessageRun[]>;
  messageVectorCounts(): Promise<readonly MessageVectorCount[]>;
}

export interface NearestMessagesQuery {
  readonly model: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  readonly limit: number;
  /** Ids of conversations. Default: all of the scope. */
  readonly conversations?: readonly string[];
}

export interface NearMessage {
  readonly ref: DocumentRef;
  readonly cosine: number;
}

export interface UnembeddedQuery {
  /** Ids of conversations. Default: all of the scope. */
  readonly conversations?: readonly string[];
  /** Most runs. Default: all. */
  readonly limit?: number;
}

export interface MessageRun {
  readonly conversation: string;
  readonly first: number;
  readonly last: number;
}

export interface MessageVectorCount {
  readonly model: string;
  readonly dimensions: number;
  readonly messages: number;
  readonly vectors: number;
}

/**
 * Vectors of the messages from `first` to `last`; messages that are not listed have no words. Messages that were erased
 * meanwhile are ignored. Refused with `busy` unless `first` is the next pending one: another process was faster, and planning
 * again is safe; with `invalid-input` unless all vectors have the length of the model's other ones.
 */
export interface EmbedWrite extends Omit<MessageRun, "conversation"> {
  readonly kind: "embed";
  /** Of the conversation. */
  readonly id: string;
  readonly model: string;
  readonly messages: readonly EmbeddedMessage[];
}

export interface EmbeddedMessage {
  readonly seq: number;
  /** At least one. */
  readonly vectors: readonly Float32Array[];
}
