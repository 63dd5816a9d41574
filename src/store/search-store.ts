/**
 * The part of the contract that keeps the search index. It is a cache: segments that never change, each with its
 * documents (messages and summaries of one scope) and its pages of sorted terms. A store does not look into them.
 *
 * What no segment holds yet is listed beside them, so that a search can cover it all the same. Whatever is erased
 * or deleted takes every segment that holds it with it, in the same commit.
 */
import type { MessageFormat } from "../types.ts";
import type { StoredMessage, StoredSummary } from "./store.ts";

export type DocumentKind = "message" | "summary";

/** A message by its seq, or a summary by its number in the conversation. */
export interface DocumentRef {
  readonly conversation: string;
  readonly kind: DocumentKind;
  readonly number: number;
}

/** Documents of one conversation that follow each other. */
export interface DocumentRun {
  readonly conversation: string;
  readonly kind: DocumentKind;
  readonly first: number;
  readonly last: number;
}

export interface SearchSegment {
  readonly id: number;
  readonly documents: number;
  /** Words of all its documents. */
  readonly words: number;
  /** Times of its oldest and newest document, in milliseconds since 1970. */
  readonly earliest: number;
  readonly latest: number;
}

export interface SegmentDocuments {
  readonly id: number;
  readonly documents: number;
  /** Facts about each document, as the index packed them. */
  readonly columns: Uint8Array;
  /** Which documents they are, in order. */
  readonly runs: readonly DocumentRun[];
}

export interface SearchPage {
  readonly segment: number;
  readonly firstTerm: Uint8Array;
  readonly page: Uint8Array;
}

/** Terms from the first to the last in the order of their bytes, both inclusive. */
export interface TermRange {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

export type StoredDocument =
  | { readonly ref: DocumentRef; readonly message: StoredMessage }
  | { readonly ref: DocumentRef; readonly summary: StoredSummary };

/** A document to be looked through. */
export interface StoredText {
  readonly ref: DocumentRef;
  /** Of a message: how its content wraps it. Null for a summary. */
  readonly format: MessageFormat | null;
  readonly content: string | Uint8Array;
}

/** The index at one moment. */
export interface SearchIndex {
  /** Oldest first. */
  readonly segments: readonly SearchSegment[];
  /** Documents that no segment holds. */
  readonly unindexed: readonly DocumentRun[];
  /** What `searchPages` gives for all segments, where ranges were given and nothing was changed meanwhile. */
  readonly pages?: readonly SearchPage[];
}

export interface SearchIndexQuery {
  /** Only segments that hold documents of this conversation, and what is open of it. Default: all of the scope. */
  readonly conversation?: string;
  /** Most runs of `unindexed`. Default 500. */
  readonly limit?: number;
  /** Terms whose pages are wanted too, without asking again. */
  readonly ranges?: readonly TermRange[];
}

export interface SearchStore {
  searchIndex(query?: SearchIndexQuery): Promise<SearchIndex>;
  /** Without those that are not there any more. */
  segmentDocuments(segments: readonly number[]): Promise<readonly SegmentDocuments[]>;
  /**
   * Of each segment, the pages on which terms of these ranges may stand, each page once. Undefined when one of the
   * segments is not there any more.
   */
  searchPages(
    segments: readonly number[],
    ranges: readonly TermRange[],
  ): Promise<readonly SearchPage[] | undefined>;
  /**
   * Documents in the order of their refs. Those that are not there and erased messages are left out. With
   * `withoutContent` messages come without their content, for whoever has read their texts.
   */
  documents(
    refs: readonly DocumentRef[],
    options?: { readonly withoutContent?: boolean },
  ): Promise<readonly StoredDocument[]>;
  /** Their contents alone, for looking through very many of them. */
  texts(refs: readonly DocumentRef[]): Promise<readonly StoredText[]>;
}

export const OPEN_RUNS = 500;

/**
 * Adds a segment, and removes those that it was merged from. Refused with `busy` when one of these is gone, when a
 * document is in a segment already, or when one, or its conversation, was erased since it was read: planning again is safe.
 */
export interface IndexWrite {
  readonly kind: "index";
  readonly replaces: readonly number[];
  readonly segment: NewSegment | null;
}

export interface NewSegment extends Omit<SearchSegment, "id"> {
  readonly columns: Uint8Array;
  readonly runs: readonly (DocumentRun & {
    /** How many of its documents were erased when they were read. Left out for what the replaced segments hold. */
    readonly erased?: number;
  })[];
  /** In the order of their terms. */
  readonly pages: readonly Omit<SearchPage, "segment">[];
}
