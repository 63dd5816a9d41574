/**
 * The contract of a transcript format: how to tell a host's file from others, what its session is called, and
 * what each line is. A format only reads; it never throws on a line it does not know, which is then an event.
 * To add a format, see CONTRIBUTING.md.
 */
import type { HostContext, MessageFormat, Relation } from "../../types.ts";

export interface TranscriptFormat {
  readonly name: MessageFormat;
  /** The product's name, for people. */
  readonly label: string;
  /** The host's name under which its conversations are listed; null where anybody may have written the file. */
  readonly host: string | null;
  /** Entries form a tree by parent links, so that only one path of it is the conversation. */
  readonly tree: boolean;
  /** Whether these are lines of such a file. Gets the first objects that could be parsed, so no line is certain. */
  recognises(lines: readonly unknown[]): boolean;
  session(lines: readonly unknown[], path: string): TranscriptSession;
  readEntry(value: unknown): Entry;
  /** The message inside a message line, in the shape of some message family. */
  unwrap(value: unknown): unknown;
}

export interface TranscriptSession {
  readonly sessionId: string;
  readonly title: string | null;
  /** True when a model of the host made the title from what was said: it goes with what is erased. Default false. */
  readonly titleIsAutomatic?: boolean;
  /**
   * The session that it comes from, by the path of its file or by its id. `entryKey`: it is a fork if another session
   * has this entry, its first message. Default: none.
   */
  readonly parent?: SessionParent | null;
  /** When it began: the time of messages whose lines have none. Default: when they are imported. */
  readonly startedAt?: string | null;
}

export type SessionParent = { readonly relation: Relation } & (
  | { readonly path: string }
  | { readonly sessionId: string }
  | { readonly entryKey: string }
);

/** What the import needs to know of one line. */
export interface Entry {
  /** `unreadable`: a message by its shape that cannot be placed. It is kept, and reported with `problem`. */
  readonly kind: "message" | "event" | "unreadable";
  readonly problem?: string;
  /** The host's id of this entry and of the one it follows; null where the format has none. */
  readonly entryKey: string | null;
  readonly parentKey: string | null;
  /** The model response that this entry is a piece of, when the line itself says so. */
  readonly response: string | null;
  /** Ids of the calls made and of the calls answered here. */
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
  /** Belongs to a sub-agent whose words the main model never saw. */
  readonly sidechain: boolean;
  /** Put there by the host beside the conversation: it neither starts a branch nor ends a response. */
  readonly injected: boolean;
  readonly createdAt: string | null;
  /** Where the conversation takes place, as far as this line tells it. */
  readonly context: Partial<HostContext>;
}

/** An event about which nothing is known: what every reading starts from. */
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
