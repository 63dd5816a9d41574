/**
 * The contract of files that hold whole sessions and do not grow line by line: JSON documents, exports, databases. A format
 * turns the values of a file into sessions with entries; it only reads and knows no store. A message gets the shape of
 * a known message family, and what has no place there is kept beside it under `host`. Records that the model did not see
 * are events. Adding one means a file that implements this, and its place in `index.ts`.
 */
import { PalimpsestError } from "../../../errors.ts";
import type { DocumentFormatName, HostContext } from "../../../types.ts";
import { fieldAt, isObject, textAt } from "../json-fields.ts";

export interface DocumentFormat {
  readonly name: DocumentFormatName;
  /** The product's name, for people. */
  readonly label: string;
  /** Gets the first objects that stand on lines of their own, and the first bytes as text. */
  recognises(lines: readonly unknown[], start: string): boolean;
  /** `values`: a document is one, JSON lines are many, a list gives its elements. */
  sessions(values: AsyncIterable<unknown>, path: string): AsyncIterable<DocumentSession>;
}

export interface DocumentSession {
  readonly sessionId: string;
  readonly title: string | null;
  /** A model of the host made the title from what was said: it goes with what is erased. */
  readonly titleIsAutomatic: boolean;
  readonly hostContext: Partial<HostContext>;
  /** Each after the one that it follows. */
  readonly entries: readonly DocumentEntry[];
  /** Summaries that the host made of them. Default: none. */
  readonly summaries?: readonly DocumentSummary[];
  /** Ids of entries and summaries that the host's context shows. Null, or left out: all of them. */
  readonly shown?: ReadonlySet<string> | null;
  /** The host has put the session away. Default false. */
  readonly isArchived?: boolean;
  /** What the file has of the session and could not be read, for people. Default: nothing. */
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
  /** As the host has it. */
  readonly row: unknown;
}

export type DocumentEntry = DocumentMessage | DocumentEvent;

export interface DocumentMessage {
  readonly id: string;
  readonly parentId: string | null;
  readonly createdAt?: string | number;
  readonly message: object;
  /** The host is writing it at this moment, as far as the file tells. */
  readonly isUnfinished?: true;
}

/** Kept with the session; it is not in the conversation. */
export interface DocumentEvent {
  readonly id: string;
  readonly event: unknown;
}

/** For formats in which each value is a session. A value that is not is refused: leaving it out would lose it. */
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

/** Fields of a record without these, which have found another place. */
export function restOf(record: unknown, ...fields: readonly string[]): Record<string, unknown> {
  if (!isObject(record)) return {};
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));
}

/** A field for `createdAt`, or none where it cannot be read. */
export function timeOf(time: string | null): { createdAt?: string } {
  return time === null ? {} : { createdAt: time };
}

/** The text at the end of a path of fields. */
export function textIn(value: unknown, ...path: readonly string[]): string | null {
  const last = path.at(-1) ?? "";
  return textAt(path.slice(0, -1).reduce<unknown>(fieldAt, value), last);
}
