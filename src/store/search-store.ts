/**
 * The part of the contract that stores the search index. It is a cache: segments that never change, each with its documents
 * (messages and summaries of one scope) and its pages of sorted terms. A store does not interpret them.
 *
 * Documents that no segment contains yet are listed beside them, so that a search can cover them too. Erasing or deleting a
 * document removes every segment that contains it in the same commit.
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
  /** Facts about each document, as packed by the index. */
  readonly columns: Uint8Array;
  /** Its documents, in order. */
  readonly runs: readonly DocumentRun[];
}

export interface SearchPage {
  readonly segment: number;
  readonly firstTerm: Uint8Array;
  readonly page: Uint8Array;
}

/** Terms from the first to the last in byte order, both inclusive. */
export interface TermRange {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

export type StoredDocument =
  | { readonly ref: DocumentRef; readonly message: StoredMessage }
  | { readonly ref: DocumentRef; readonly summary: StoredSummary };

/** A document to be searched. */
export interface StoredText {
  readonly ref: DocumentRef;
  /** For a message: how its content wraps it. Null for a summary. */
  readonly format: MessageFormat | null;
  readonly content: string | Uint8Array;
}

/** A snapshot of the index. */
export interface SearchIndex {
  /** Oldest first. */
  readonly segments: readonly SearchSegment[];
  /** Documents that no segment contains. */
  readonly unindexed: readonly DocumentRun[];
  /** What `searchPages` returns for all segments, if ranges were given and nothing was changed meanwhile. */
  readonly pages?: readonly SearchPage[];
}

export interface SearchIndexQuery {
  /** Only segments that contain documents of this conversation, and its unindexed runs. Default: all of the scope. */
  readonly conversation?: string;
  /** Most runs of `unindexed`. Default 500. */
  readonly limit?: number;
  /** Terms whose pages are returned too, which saves a call. */
  readonly ranges?: readonly TermRange[];
}

export interface SearchStore {
  searchIndex(query?: SearchIndexQuery): Promise<SearchIndex>;
  /** Without segments that no longer exist. */
  segmentDocuments(segments: readonly number[]): Promise<readonly SegmentDocuments[]>;
  /**
   * Of each segment, the pages that may contain terms of these ranges, each page once. Undefined when one of the segments no
   * longer exists.
   */
  searchPages(
    segments: readonly number[],
    ranges: readonly TermRange[],
  ): Promise<readonly SearchPage[] | undefined>;
  /**
   * Documents in the order of their refs. Unknown documents and erased messages are left out. With `withoutContent` messages
   * have no content, for callers that have read their texts.
   */
  documents(
    refs: readonly DocumentRef[],
    options?: { readonly withoutContent?: boolean },
  ): Promise<readonly StoredDocument[]>;
  /** Their contents alone, for scanning very many of them. */
  texts(refs: readonly DocumentRef[]): Promise<readonly StoredText[]>;
}

export const OPEN_RUNS = 500;

/**
 * Adds a segment, and removes those that it was merged from. Refused with `busy` when one of these is gone, when a document
 * is already in a segment, or when one, or its conversation, was erased since it was read: planning again is safe.
 */
export interface IndexWrite {
  readonly kind: "index";
  readonly replaces: readonly number[];
  readonly segment: NewSegment | null;
}

export interface NewSegment extends Omit<SearchSegment, "id"> {
  readonly columns: Uint8Array;
  readonly runs: readonly (DocumentRun & {
    /** How many of its documents were erased when they were read. Omitted for the contents of replaced segments. */
    readonly erased?: number;
  })[];
  /** In the order of their terms. */
  readonly pages: readonly Omit<SearchPage, "segment">[];
}
