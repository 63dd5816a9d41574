/** What is found in a message before anybody knows where it stands there, and what finding needs. */
import type { FileKind, PayloadPlace, PayloadWriting } from "../../../store/file-store.ts";
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import type { Role } from "../../../types.ts";
import type { FoundInText } from "./find-in-text.ts";
import type { ReadParts } from "./find-values.ts";
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

/** From which size on something is a payload, whatever it is. */
export interface PayloadLimits {
  /** A file of more tokens is a payload. */
  readonly largeFileTokenThreshold: number;
  /** The texts of a tool's result that has more bytes are some, or the result as a whole where it is data. */
  readonly toolOutputStubBytes: number;
}

/** Bytes below which a reference would be longer than what it stands for, whatever the limits. */
export const SHORTEST = 256;

/** Bytes below which a text of a result with many is left where it is: each that goes leaves a reference behind. */
export const SHORTEST_OF_MANY = 512;

/** Nothing can be a payload in a message of this role and as few bytes. No tokenizer makes more tokens than bytes. */
export function holdsNoPayload(role: Role, bytes: number, limits: PayloadLimits): boolean {
  const { largeFileTokenThreshold: asFile, toolOutputStubBytes: asResult } = limits;
  if (role === "system") return bytes <= Math.max(SHORTEST, asFile);
  return bytes <= Math.max(SHORTEST, role === "assistant" ? asResult : Math.min(asFile, asResult));
}

/** Bytes before an index. Asked for in ascending order, so that each character is counted once. */
export function byteOffsets(text: string): (index: number) => number {
  let [at, bytes] = [0, 0];
  return (index) => {
    bytes += Buffer.byteLength(text.slice(at, index));
    at = index;
    return bytes;
  };
}
