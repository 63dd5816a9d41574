/**
 * The contract of a transcript format: how to recognise a host's file, how its session is named, and
 * what each line means. A format only reads; an unknown line is an event, never an error.
 * To add a format, see CONTRIBUTING.md.
 */
import type { HostContext, MessageFormat, Relation } from "../../types.ts";

export interface TranscriptFormat {
  readonly name: MessageFormat;
  /** The product's name, for people. */
  readonly label: string;
  /** The host's name in the list of conversations; null if any program may have written the file. */
  readonly host: string | null;
  /** Entries form a tree by parent links; only one path of it is the conversation. */
  readonly tree: boolean;
  /** Whether these lines belong to such a file. Gets the first parsable objects, so no particular line is guaranteed. */
  recognises(lines: readonly unknown[]): boolean;
  session(lines: readonly unknown[], path: string): TranscriptSession;
  readEntry(value: unknown): Entry;
  /** The message inside a message line, in the shape of some message family. */
  unwrap(value: unknown): unknown;
}

export interface TranscriptSession {
  readonly sessionId: string;
  readonly title: string | null;
  /** True if a model of the host generated the title from the messages: an erasure of messages then erases it too. Default false. */
  readonly titleIsAutomatic?: boolean;
  /**
   * The session that this one comes from, by the path of its file or by its id. `entryKey`: the session is a fork if
   * another session contains this entry, its first message. Default: none.
   */
  readonly parent?: SessionParent | null;
  /** When the session began: the time of messages whose lines have none. Default: the time of the import. */
  readonly startedAt?: string | null;
}

export type SessionParent = { readonly relation: Relation } & (
  | { readonly path: string }
  | { readonly sessionId: string }
  | { readonly entryKey: string }
);

/** The facts about one line that the import needs. */
export interface Entry {
  /** `unreadable`: looks like a message but cannot be placed. It is kept, and reported with `problem`. */
  readonly kind: "message" | "event" | "unreadable";
  readonly problem?: string;
  /** The host's id of this entry and of the one it follows; null where the format has none. */
  readonly entryKey: string | null;
  readonly parentKey: string | null;
  /** The model response that this entry is a part of, if the line names it. */
  readonly response: string | null;
  /** Ids of the calls made and of the calls answered here. */
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
  /** Belongs to a sub-agent whose messages the main model never saw. */
  readonly sidechain: boolean;
  /** Inserted by the host: it neither starts a branch nor ends a response. */
  readonly injected: boolean;
  readonly createdAt: string | null;
  /** Where the conversation takes place, as far as this line says. */
  readonly context: Partial<HostContext>;
}

/** An event with no known facts: the starting point of every reader. */
export const BLANK_ENTRY: Entry = {
  kind: "event",
  entryKey: null,
  parentKey: null,
  response: null,
  toolCalls: [],
  toolResults: [],
  sidechain: false,
  injected: false,
  createdAt: null,
  context: {},
};
