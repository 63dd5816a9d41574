/**
 * The contract of files that contain whole sessions and are not appended line by line: JSON documents, exports, databases.
 * A format turns the values of a file into sessions with entries; it only reads and does not access the store. A message
 * gets the shape of a known message family; other fields are kept beside it under `host`. Records that the model did not
 * see are events. To add a format, implement this contract in a file and list it in `index.ts`.
 */
import { PalimpsestError } from "../../../errors.ts";
import type { DocumentFormatName, HostContext } from "../../../types.ts";
import { fieldAt, isObject, textAt } from "../json-fields.ts";

export interface DocumentFormat {
  readonly name: DocumentFormatName;
  /** The product's name, for people. */
  readonly label: string;
  /** Gets the first objects that occupy a whole line each, and the first bytes as text. */
  recognises(lines: readonly unknown[], start: string): boolean;
  /** `values`: a JSON document is one value, JSON lines are many, a list yields its elements. */
  sessions(values: AsyncIterable<unknown>, path: string): AsyncIterable<DocumentSession>;
}

export interface DocumentSession {
  readonly sessionId: string;
  readonly title: string | null;
  /** A model of the host generated the title from the messages, so an erasure of messages also erases the title. */
  readonly titleIsAutomatic: boolean;
  readonly hostContext: Partial<HostContext>;
  /** Each entry comes after its predecessor. */
  readonly entries: readonly DocumentEntry[];
  /** Summaries of these entries by the host. Default: none. */
  readonly summaries?: readonly DocumentSummary[];
  /** Ids of entries and summaries in the host's context. Null or omitted: all of them. */
  readonly shown?: ReadonlySet<string> | null;
  /** The session is archived in the host. Default false. */
  readonly isArchived?: boolean;
  /** Parts of the session that could not be read, as text for people. Default: none. */
  readonly problems?: readonly string[];
}

export interface DocumentSummary {
  readonly id: string;
  readonly text: string;
  readonly model: string | null;
  readonly createdAt: string | null;
  /** Ids of entries, or of summaries, in order. */
  readonly from:
    | { readonly type: "messages"; readonly ids: readonly string[] }
    | { readonly type: "summaries"; readonly ids: readonly string[] };
  /** The record as the host stores it. */
  readonly row: unknown;
}

export type DocumentEntry = DocumentMessage | DocumentEvent;

export interface DocumentMessage {
  readonly id: string;
  readonly parentId: string | null;
  readonly createdAt?: string | number;
  readonly message: object;
  /** The host is still writing this message, as far as the file shows. */
  readonly isUnfinished?: true;
}

/** Kept with the session but not part of the conversation. */
interface DocumentEvent {
  readonly id: string;
  readonly event: unknown;
}

/** For formats in which each value is a session. Any other value is rejected, because skipping it would lose it. */
export function sessionForEach(
  label: string,
  isSession: (value: unknown) => boolean,
  sessionOf: (value: unknown, path: string) => DocumentSession,
): DocumentFormat["sessions"] {
  return async function* (values, path) {
    let number = 0;
    for await (const value of values) {
      number++;
      if (!isSession(value)) throw misfit(`session ${number} of ${path} is not one of ${label}`);
      yield sessionOf(value, path);
    }
  };
}

function misfit(problem: string): PalimpsestError {
  return new PalimpsestError("invalid-input", problem, {
    advice: "Remove it from the file and import the file again; sessions before it are imported.",
  });
}

/** The fields of a record except these, which are stored elsewhere. */
export function restOf(record: unknown, ...fields: readonly string[]): Record<string, unknown> {
  if (!isObject(record)) return {};
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));
}

/** A `createdAt` field, or no field if the time cannot be read. */
export function timeOf(time: string | null): { createdAt?: string } {
  return time === null ? {} : { createdAt: time };
}

/** The text at the end of a path of fields. */
export function textIn(value: unknown, ...path: readonly string[]): string | null {
  const last = path.at(-1) ?? "";
  return textAt(path.slice(0, -1).reduce<unknown>(fieldAt, value), last);
}
