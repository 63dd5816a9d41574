/**
 * Which texts inside a message are payloads: attached files and pastes in what was said to the model, and long texts in
 * the results of tools. What a model wrote is never one. Says what they are, not where they stand in the original.
 */
import type { FileKind } from "../../store/file-store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Part, Role } from "../../types.ts";
import { type FoundInText, findInText } from "./find-in-text.ts";
import { type MarkedValue, markStrings } from "./mark-strings.ts";
import { wellFormedStretches } from "./well-formed-stretches.ts";

export interface PayloadLimits {
  /** A file of more tokens is a payload. */
  readonly largeFileTokenThreshold: number;
  /** The texts of a tool's result that has more bytes are some. */
  readonly toolOutputStubBytes: number;
}

export interface FoundPayload extends FoundInText {
  readonly kind: FileKind;
  /** The string of the message in which it stands. */
  readonly string: string;
  /** Which of the message's long strings that is: two may be equal and answer different calls. */
  readonly index: number;
  /** Of a result: the call as far as the result itself tells it. */
  readonly tool: string | null;
  readonly callId: string | null;
  readonly input: string | null;
}

export interface FindInput {
  /** The message with its envelope, as it was parsed. */
  readonly value: unknown;
  /** Reads such a value, whatever its strings are. */
  readonly read: (value: unknown) => { readonly role: Role; readonly parts: readonly Part[] };
  readonly limits: PayloadLimits;
  readonly countTokens: CountTokens;
  /** `latin1`: each character of a string is a byte of what it means. */
  readonly encoding: "utf8" | "latin1";
  /** Letters and digits that occur nowhere in the message. */
  readonly secret: string;
}

/** Bytes below which a reference would be longer than what it stands for, whatever the limits. */
const SHORTEST = 256;

/** Bytes below which a text of a result with many is left where it is: each that goes leaves a reference behind. */
const SHORTEST_OF_MANY = 512;

/** No text can be a payload in a message of this role and as few bytes. No tokenizer makes more tokens than bytes. */
export function holdsNoPayload(role: Role, bytes: number, limits: PayloadLimits): boolean {
  if (role === "assistant" || bytes <= SHORTEST) return true;
  const { largeFileTokenThreshold: tokens, toolOutputStubBytes } = limits;
  return bytes <= (role === "system" ? tokens : Math.min(tokens, toolOutputStubBytes));
}

/** In no particular order. */
export function findPayloads(input: FindInput): FoundPayload[] {
  const { limits, encoding } = input;
  const shortest = Math.min(limits.largeFileTokenThreshold, limits.toolOutputStubBytes, SHORTEST_OF_MANY);
  const isLong = (text: string) => isLonger(text, Math.max(SHORTEST, shortest), encoding);
  const marked = markStrings(input.value, isLong, input.secret);
  if (marked.strings.length === 0) return [];
  const { role, parts } = input.read(marked.value);
  if (role === "assistant") return [];
  const taken = new Set<number>();
  const found = parts.flatMap((part) => {
    const indexes = stringsOf(part, marked).filter((index) => !taken.has(index));
    for (const index of indexes) taken.add(index);
    if (part.type !== "tool") return indexes.flatMap((index) => attachments(index, role, marked, input));
    return role === "system" ? [] : results(part, indexes, marked, input);
  });
  return found.flatMap(wellFormedStretches);
}

function stringsOf(part: Part, marked: MarkedValue): number[] {
  if (part.type === "text") return marked.markedIn(part.text);
  return part.type === "tool" ? marked.markedIn(part.output ?? "") : [];
}

function attachments(index: number, role: Role, marked: MarkedValue, input: FindInput): FoundPayload[] {
  const string = marked.strings[index] ?? "";
  const { encoding, limits, countTokens } = input;
  const isLarge = (text: string) =>
    isLonger(text, Math.max(SHORTEST, limits.largeFileTokenThreshold), encoding) &&
    countTokens(meant(text, encoding)) > limits.largeFileTokenThreshold;
  return findInText(string, isLarge, role !== "system").map((found) => ({
    ...found,
    ...{ kind: "file", string, index, tool: null, callId: null, input: null },
    name: found.name === null ? null : meant(found.name, encoding),
  }));
}

type ToolPart = Extract<Part, { type: "tool" }>;

function results(
  part: ToolPart,
  indexes: readonly number[],
  marked: MarkedValue,
  input: FindInput,
): FoundPayload[] {
  const restored = (text: string | null) =>
    text === null ? null : meant(marked.restore(text), input.encoding);
  const chosen = largeTexts(part, indexes, marked, input);
  if (chosen.length === 0) return [];
  const call = { tool: restored(part.name), callId: restored(part.callId), input: restored(part.input) };
  return chosen.map((index) => {
    const string = marked.strings[index] ?? "";
    return {
      ...{ kind: "tool-output", string, index, name: null, mime: null, ...call },
      ...{ start: 0, end: string.length, outerStart: 0, outerEnd: string.length },
      ...{ hiddenStart: 0, hiddenEnd: string.length },
    };
  });
}

/**
 * Those texts of a result that are too large by themselves, and where many small ones are too much together the largest
 * of them, until the rest is not.
 */
function largeTexts(
  { output }: ToolPart,
  indexes: readonly number[],
  marked: MarkedValue,
  { limits, encoding }: FindInput,
): number[] {
  const limit = limits.toolOutputStubBytes;
  const sized = indexes.map((index) => ({ index, bytes: sizeOf(marked.strings[index] ?? "", encoding) }));
  let left =
    sizeOf(marked.without(output ?? ""), encoding) + sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen: number[] = [];
  for (const { index, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    if (left <= limit || bytes <= Math.min(limit, SHORTEST_OF_MANY)) break;
    chosen.push(index);
    left -= bytes;
  }
  return chosen;
}

function sizeOf(text: string, encoding: FindInput["encoding"]): number {
  return Buffer.byteLength(text, encoding);
}

/** Whether what the text means has more bytes than this. */
function isLonger(text: string, bytes: number, encoding: FindInput["encoding"]): boolean {
  if (text.length > bytes || encoding === "latin1") return text.length > bytes;
  // No character has more than three bytes for each of its units.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

function meant(text: string, encoding: FindInput["encoding"]): string {
  return encoding === "utf8" ? text : Buffer.from(text, "latin1").toString("utf8");
}
