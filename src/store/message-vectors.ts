/**
 * The part of the contract that keeps what messages mean: vectors of what people and assistants said, a passage each.
 * It is a cache, made by a model and made again after a load; a store does not look into it. Messages of a conversation
 * get their vectors in their order, and how far that has come is kept with them, so that it can be stopped and gone on
 * with. Whatever is erased or deleted takes its vectors with it, in the same commit.
 */
import type { DocumentRef } from "./search-store.ts";

export interface MessageVectorStore {
  /**
   * The nearest by cosine among vectors of this model, a message once, by its nearest passage; the nearest first, then
   * by conversation and seq.
   */
  nearestMessages(query: NearestMessagesQuery): Promise<readonly NearMessage[]>;
  /** The passages' vectors of these messages, in the order of the refs; empty where there are none of this model. */
  messageVectors(model: string, refs: readonly DocumentRef[]): Promise<readonly (readonly Float32Array[])[]>;
  /** Messages that were not looked at yet for this model: of each conversation one run, the oldest first. */
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
 * Vectors of the messages from `first` to `last`; those that are not named have no words. Messages that were erased
 * meanwhile are passed over. Refused with `busy` unless `first` is the next one to be looked at: somebody else was
 * faster, and planning again is safe; with `invalid-input` unless all vectors have the length of the model's other ones.
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
