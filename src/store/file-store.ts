/**
 * The part of the contract that keeps large payloads apart from the messages they came in: files that were attached,
 * and long results of tools. Each content lies there once, whoever refers to it, in compressed frames, so that any
 * part of it is read without the rest. A message's row keeps what is left when its payloads are cut out; whoever reads
 * the message gets them back, or a short reference in their place.
 */
import type { Page, RangeQuery } from "./store.ts";

export const FILE_KINDS = ["file", "tool-output"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/**
 * How a payload is written inside its message: as a JSON string by JavaScript, by Python, or byte by byte; or the payload
 * is an object or a list, written as JSON.stringify does, and stands there as it is.
 */
export const PAYLOAD_WRITINGS = ["json", "json-ascii", "json-latin1", "json-value"] as const;
export type PayloadWriting = (typeof PAYLOAD_WRITINGS)[number];

/** Bytes of a message's original in which a payload stands, as it is written there. */
export interface PayloadPlace {
  readonly start: number;
  readonly end: number;
  /** Bytes around what is cut out that go where a reference stands: the tags of an attached file, a value's brackets. */
  readonly before: number;
  readonly after: number;
  /** Bytes of it that are not cut out: the ends of what somebody pasted, the brackets of a value. Default 0. */
  readonly head?: number;
  readonly tail?: number;
}

/** What came with a message, and what was made of a message that is older than this. */
export const FILE_ORIGINS = ["ingest", "migration"] as const;
export type FileOrigin = (typeof FILE_ORIGINS)[number];

/** A payload of a message: one reference to a content. */
export interface NewFile {
  /** `file_` and 16 hex digits. */
  readonly id: string;
  readonly kind: FileKind;
  readonly name: string | null;
  readonly mime: string | null;
  /** Of a result: the tool that gave it. */
  readonly tool: string | null;
  /** What stands for it where it is not shown: what is in a file, or which call a result belongs to. */
  readonly description: string;
  readonly origin: FileOrigin;
  readonly writing: PayloadWriting;
  /** At least one, in order, of equal content; none for a content that was put in before, by its hash. */
  readonly places: readonly PayloadPlace[];
  /** Of a content that was put in before. Null: it is what stands at the places. */
  readonly content: string | null;
  /** What stands at the places, for whoever has it: it need not be read out of the message again. */
  readonly payload?: Uint8Array;
}

/** What a model wrote of a file. From then on it is shown in the place of the description made without one. */
export interface ModelDescription {
  readonly text: string;
  /** As `provider/model`. */
  readonly model: string;
  readonly at: string;
}

/** A file on its way into its row; one that comes from a dump may have been described. */
export interface DatedFile extends NewFile {
  readonly createdAt: string;
  readonly described?: ModelDescription | null;
}

export interface StoredFile extends Omit<NewFile, "content" | "payload"> {
  readonly conversation: string;
  /** The message that it came in. */
  readonly seq: number;
  /** Counts up from 0 in its message. */
  readonly ordinal: number;
  /** SHA-256 of the content. */
  readonly content: string;
  readonly bytes: number;
  /** A last one without a line feed counts; behind a line feed there is none. */
  readonly lines: number;
  readonly createdAt: string;
  /** Null until a model has described it. */
  readonly described: ModelDescription | null;
}

/**
 * How payloads are given when a message is read.
 *  - `whole`: the original, byte for byte. A payload that cannot be read is an error.
 *  - `sound`: the same, but what cannot be read is left out, so that the message does not match its digest.
 *  - `context`: as the model reads it while it is new: files as references, results whole.
 *  - `stubs`: both as references.
 *  - `search`: whole up to `SEARCHED_BYTES` each, larger ones as references; what cannot be read is left out.
 *  - `summarise`: results whole up to `SEARCHED_BYTES`, all else as references.
 */
export type Payloads = "whole" | "sound" | "context" | "stubs" | "search" | "summarise";

/** Larger payloads are not looked through with their message, only by looking into files. */
export const SEARCHED_BYTES = 4 * 1024 * 1024;

export interface FileQuery extends RangeQuery {
  /** Only files of this conversation. Default: all of the scope. */
  readonly conversation?: string;
  /** Only files of this kind. */
  readonly kind?: FileKind;
}

/** That a file came, for those who follow the store. */
export interface FileMark extends Pick<StoredFile, "id" | "conversation"> {
  /** In the list of files; rises with each file. */
  readonly position: number;
}

/** A content that was put in without a message. Until a file refers to it, collecting garbage takes it away. */
export interface PutContent {
  readonly hash: string;
  readonly bytes: number;
  readonly lines: number;
}

/** Bytes of a content in each frame but the last. */
export const FRAME_BYTES = 256 * 1024;
/** Most bytes that are read at once. */
export const MOST_FILE_BYTES = 8 * 1024 * 1024;

export interface FileStore {
  file(id: string): Promise<StoredFile | undefined>;
  /** Files of a scope, most recently stored first; `next` is the position to continue from. */
  files(query: FileQuery): Promise<Page<StoredFile>>;
  /** The newest of a scope that were stored after a position, newest first. */
  fileMarks(after: number, limit: number): Promise<readonly FileMark[]>;
  /** Line feeds in each frame of `FRAME_BYTES`: where a line begins is found without reading what is before it. */
  fileLines(id: string): Promise<Uint32Array | undefined>;
  /** Bytes from `start` up to `end`, not included; fewer where the file ends, or at `MOST_FILE_BYTES`. */
  fileBytes(id: string, start: number, end: number): Promise<Uint8Array | undefined>;
  putContent(chunks: AsyncIterable<Uint8Array>): Promise<PutContent>;
}

/** Takes payloads out of messages that are on record. Their originals, hashes and ids stay what they are. */
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

/** Puts the payloads back into their messages; files that were made of them are gone. */
export interface InternaliseWrite {
  readonly kind: "internalise";
  readonly id: string;
  readonly messages: readonly { readonly seq: number; readonly tokenCount: number }[];
}

/**
 * Gives a file the description that a model wrote, and its message the tokens that it has with it. Refused with `busy`
 * when the file is gone or described, or its message does not stand in the context or was summarised: what a summary
 * says of the tokens it was made from stays true.
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
  /** Contents that nothing referred to. */
  readonly contents: number;
  /** Bytes that they took on disk. */
  readonly bytes: number;
}
