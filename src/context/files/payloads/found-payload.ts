/** A payload found in a message before its position is known, and the input of the search. */
import type { FileKind, PayloadPlace, PayloadWriting } from "../../../store/file-store.ts";
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import type { Role } from "../../../types.ts";
import type { FoundInText } from "./find-in-text.ts";
import type { ReadParts } from "./find-values.ts";
import type { WrittenValue } from "./places-of-marks.ts";

/** The call of a result, as far as the result itself names it. */
export interface AnsweredCall {
  readonly tool: string | null;
  readonly callId: string | null;
  readonly input: string | null;
}

export interface FoundPayload extends FoundInText, AnsweredCall {
  readonly kind: FileKind;
  /** The string of the message that contains it. */
  readonly string: string;
  /** The number of that string among the message's long strings: equal strings may belong to different calls. */
  readonly index: number;
}

/** A whole result that is data. */
export interface FoundValue extends WrittenValue, AnsweredCall {}

export interface FoundPayloads {
  readonly texts: readonly FoundPayload[];
  readonly values: readonly FoundValue[];
}

export interface FindInput {
  /** The parsed message with its envelope. */
  readonly value: unknown;
  /** Reads such a value with any strings in it. */
  readonly read: (value: unknown) => ReadParts;
  /** The text that was parsed; null if it is not UTF-8. */
  readonly original: string | null;
  /** No value of it may be replaced by a text. */
  readonly keepsShapes: boolean;
  readonly limits: PayloadLimits;
  readonly countTokens: CountTokens;
  /** Hexadecimal digits that occur nowhere in the message. */
  readonly secret: string;
}

/** `latin1`: each character of a string is one byte of its content. */
export type StringEncoding = "utf8" | "latin1";

export function encodingOf({ original }: Pick<FindInput, "original">): StringEncoding {
  return original === null ? "latin1" : "utf8";
}

/** The decoded content of a string of the message. */
export function meant(text: string, encoding: StringEncoding): string {
  return encoding === "utf8" ? text : Buffer.from(text, "latin1").toString("utf8");
}

/** A payload with its position in the bytes of the message. */
export interface LocatedPayload
  extends Pick<FoundPayload, "kind" | "name" | "mime" | "tool" | "callId" | "input"> {
  readonly writing: PayloadWriting;
  readonly places: readonly PayloadPlace[];
  readonly payload: Uint8Array;
}

/** The sizes from which content is a payload. */
export interface PayloadLimits {
  /** A file with more tokens is a payload. */
  readonly largeFileTokenThreshold: number;
  /** In a tool's result with more bytes, texts are payloads, or the whole result if it is data. */
  readonly toolOutputStubBytes: number;
}

/** Below this size in bytes, a reference would be longer than the content it replaces. */
export const SHORTEST = 256;

/** In a result with many texts, smaller ones are not externalised, because each leaves a reference. */
export const SHORTEST_OF_MANY = 512;

/** A message of this role with so few bytes contains no payload. No tokenizer produces more tokens than bytes. */
export function holdsNoPayload(role: Role, bytes: number, limits: PayloadLimits): boolean {
  const { largeFileTokenThreshold: asFile, toolOutputStubBytes: asResult } = limits;
  if (role === "system") return bytes <= Math.max(SHORTEST, asFile);
  return bytes <= Math.max(SHORTEST, role === "assistant" ? asResult : Math.min(asFile, asResult));
}

/** Bytes before an index. Call it with ascending indexes, so that each character is counted once. */
export function byteOffsets(text: string): (index: number) => number {
  let [at, bytes] = [0, 0];
  return (index) => {
    bytes += Buffer.byteLength(text.slice(at, index));
    at = index;
    return bytes;
  };
}
