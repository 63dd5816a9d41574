/**
 * The part of the contract that stores large payloads apart from their messages: attached files and long tool results. Each
 * content is stored once, however many messages refer to it, in compressed frames, so that any part of it can be read without
 * the rest. A message's row keeps what is left when its payloads are cut out; reading the message inserts the payloads again,
 * or short references instead.
 */
import type { Page, RangeQuery } from "./store.ts";

export const FILE_KINDS = ["file", "tool-output"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/**
 * How a payload is written inside its message: as a JSON string by JavaScript, by Python, or byte by byte; or the payload is
 * an object or a list as JSON.stringify writes it.
 */
export const PAYLOAD_WRITINGS = ["json", "json-ascii", "json-latin1", "json-value"] as const;
export type PayloadWriting = (typeof PAYLOAD_WRITINGS)[number];

/** The bytes of a message's original that contain a payload, in its written form. */
export interface PayloadPlace {
  readonly start: number;
  readonly end: number;
  /** Bytes around it that a reference replaces as well: the tags of an attached file, a value's brackets. */
  readonly before: number;
  readonly after: number;
  /** Bytes of it that are not cut out: the ends of a pasted text, the brackets of a value. Default 0. */
  readonly head?: number;
  readonly tail?: number;
}

/** `ingest`: it came with a message. `migration`: it was cut out of a message of an older version. */
export const FILE_ORIGINS = ["ingest", "migration"] as const;
export type FileOrigin = (typeof FILE_ORIGINS)[number];

/** A payload of a message: one reference to a content. */
export interface NewFile {
  /** `file_` and 16 hex digits. */
  readonly id: string;
  readonly kind: FileKind;
  readonly name: string | null;
  readonly mime: string | null;
  /** For a result: the tool that returned it. */
  readonly tool: string | null;
  /** Shown instead of the payload: what is in a file, or which call a result belongs to. */
  readonly description: string;
  readonly origin: FileOrigin;
  readonly writing: PayloadWriting;
  /** At least one, in order, of equal content; empty for a content that was stored before, by its hash. */
  readonly places: readonly PayloadPlace[];
  /** Hash of a content that was stored before. Null: the content is at the places. */
  readonly content: string | null;
  /** The bytes at the places, if the caller has them, so that they are not read from the message again. */
  readonly payload?: Uint8Array;
}

/** A model's description of a file. From then on it is shown instead of the description made without a model. */
export interface ModelDescription {
  readonly text: string;
  /** As `provider/model`. */
  readonly model: string;
  readonly at: string;
}

/** A file before it is stored; one from a dump may have been described. */
export interface DatedFile extends NewFile {
  readonly createdAt: string;
  readonly described?: ModelDescription | null;
}

export interface StoredFile extends Omit<NewFile, "content" | "payload"> {
  readonly conversation: string;
  /** The message that contained it. */
  readonly seq: number;
  /** Counts up from 0 in its message. */
  readonly ordinal: number;
  /** SHA-256 of the content. */
  readonly content: string;
  readonly bytes: number;
  /** A last line without a line feed counts; after a final line feed there is no further line. */
  readonly lines: number;
  readonly createdAt: string;
  /** Null until a model has described it. */
  readonly described: ModelDescription | null;
}

/**
 * How payloads are returned when a message is read.
 *  - `whole`: the original, byte for byte. A payload that cannot be read is an error.
 *  - `sound`: the same, but payloads that cannot be read are left out, so that the message does not match its digest.
 *  - `context`: as the model reads a new message: files as references, results whole.
 *  - `stubs`: both as references.
 *  - `search`: whole up to `SEARCHED_BYTES` each, larger ones as references; those that cannot be read are left out.
 *  - `summarise`: results whole up to `SEARCHED_BYTES`, all else as references.
 */
export type Payloads = "whole" | "sound" | "context" | "stubs" | "search" | "summarise";

/** Larger payloads are not searched with their message, only when files are searched. */
export const SEARCHED_BYTES = 4 * 1024 * 1024;

export interface FileQuery extends RangeQuery {
  /** Only files of this conversation. Default: all of the scope. */
  readonly conversation?: string;
  /** Only files of this kind. */
  readonly kind?: FileKind;
}

/** A file that was stored, for callers that follow the store. */
export interface FileMark extends Pick<StoredFile, "id" | "conversation"> {
  /** In the list of files; rises with each file. */
  readonly position: number;
}

/** A content that was stored without a message. Until a file refers to it, garbage collection removes it. */
export interface PutContent {
  readonly hash: string;
  readonly bytes: number;
  readonly lines: number;
}

/** Bytes of a content in each frame but the last. */
export const FRAME_BYTES = 256 * 1024;
/** Most bytes of one read. */
export const MOST_FILE_BYTES = 8 * 1024 * 1024;

export interface FileStore {
  file(id: string): Promise<StoredFile | undefined>;
  /** Files of a scope, most recently stored first; `next` is the position to continue from. */
  files(query: FileQuery): Promise<Page<StoredFile>>;
  /** The newest of a scope that were stored after a position, newest first. */
  fileMarks(after: number, limit: number): Promise<readonly FileMark[]>;
  /** Line feeds in each frame of `FRAME_BYTES`: the start of a line is found without reading what is before it. */
  fileLines(id: string): Promise<Uint32Array | undefined>;
  /** Bytes from `start` up to `end`, exclusive; fewer at the end of the file, or at `MOST_FILE_BYTES`. */
  fileBytes(id: string, start: number, end: number): Promise<Uint8Array | undefined>;
  putContent(chunks: AsyncIterable<Uint8Array>): Promise<PutContent>;
}

/** Takes payloads out of stored messages. Their originals, hashes and ids stay the same. */
export interface ExternaliseWrite {
  readonly kind: "externalise";
  readonly id: string;
  readonly messages: readonly ExternalisedMessage[];
  readonly at: string;
}

export interface ExternalisedMessage {
  readonly seq: number;
  readonly files: readonly NewFile[];
  /** Tokens with files as references. */
  readonly tokenCount: number;
  /** Tokens with results as references as well. */
  readonly stubTokenCount: number | null;
}

/** Puts the payloads back into their messages; files that were made from them are removed. */
export interface InternaliseWrite {
  readonly kind: "internalise";
  readonly id: string;
  readonly messages: readonly { readonly seq: number; readonly tokenCount: number }[];
}

/**
 * Stores a model's description of a file, and its message's token count with it. Refused with `busy` when the file is gone or
 * described, or its message is not in the context or was summarised: the token counts in a summary must stay those of its
 * sources.
 */
export interface DescribeFileWrite {
  readonly kind: "describe-file";
  /** The conversation. */
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly model: string;
  readonly at: string;
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}

export interface GarbageReport {
  /** Contents without a reference. */
  readonly contents: number;
  /** Bytes that they used on disk. */
  readonly bytes: number;
}
