/** What is found in a message before anybody knows where it stands there, and what finding needs. */
import type { FileKind, PayloadPlace, PayloadWriting } from "../../../store/file-store.ts";
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import type { FoundInText } from "./find-in-text.ts";
import type { ReadParts } from "./find-values.ts";
import type { PayloadLimits } from "./payload-limits.ts";
import type { WrittenValue } from "./places-of-marks.ts";

/** Of a result: the call as far as the result itself tells it. */
export interface AnsweredCall {
  readonly tool: string | null;
  readonly callId: string | null;
  readonly input: string | null;
}

export interface FoundPayload extends FoundInText, AnsweredCall {
  readonly kind: FileKind;
  /** The string of the message in which it stands. */
  readonly string: string;
  /** Which of the message's long strings that is: two may be equal and answer different calls. */
  readonly index: number;
}

/** A result that is data, as a whole. */
export interface FoundValue extends WrittenValue, AnsweredCall {}

export interface FoundPayloads {
  readonly texts: readonly FoundPayload[];
  readonly values: readonly FoundValue[];
}

export interface FindInput {
  /** The message with its envelope, as it was parsed. */
  readonly value: unknown;
  /** Reads such a value, whatever its strings are. */
  readonly read: (value: unknown) => ReadParts;
  /** The text that it was parsed from; null where it is no UTF-8. */
  readonly original: string | null;
  /** No value of it may become a text. */
  readonly keepsShapes: boolean;
  readonly limits: PayloadLimits;
  readonly countTokens: CountTokens;
  /** Letters and digits that occur nowhere in the message. */
  readonly secret: string;
}

/** `latin1`: each character of a string is a byte of what it means. */
export type StringEncoding = "utf8" | "latin1";

export function encodingOf({ original }: Pick<FindInput, "original">): StringEncoding {
  return original === null ? "latin1" : "utf8";
}

/** What a string of the message says. */
export function meant(text: string, encoding: StringEncoding): string {
  return encoding === "utf8" ? text : Buffer.from(text, "latin1").toString("utf8");
}

/** A payload and where it is in the bytes of the message. */
export interface LocatedPayload
  extends Pick<FoundPayload, "kind" | "name" | "mime" | "tool" | "callId" | "input"> {
  readonly writing: PayloadWriting;
  readonly places: readonly PayloadPlace[];
  readonly payload: Uint8Array;
}
