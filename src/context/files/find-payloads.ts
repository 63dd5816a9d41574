/**
 * Which texts inside a message are payloads: attached files and pastes in what was said to the model, and long texts in
 * the results of tools. What a model wrote is never one. Says what they are, not where they stand in the original.
 */
import type { FileKind } from "../../store/file-store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Part, Role } from "../../types.ts";
import { type FoundInText, findInText } from "./find-in-text.ts";
import { type MarkedValue, markStrings } from "./mark-strings.ts";

export interface PayloadLimits {
  /** A file of more tokens is a payload. */
  readonly largeFileTokenThreshold: number;
  /** A text of more bytes in the result of a tool is one. */
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

/** No text can be a payload in a message of this role and as few bytes. No tokenizer makes more tokens than bytes. */
export function holdsNoPayload(role: Role, bytes: number, limits: PayloadLimits): boolean {
  if (role === "assistant" || bytes <= SHORTEST) return true;
  const { largeFileTokenThreshold: tokens, toolOutputStubBytes } = limits;
  return bytes <= (role === "system" ? tokens : Math.min(tokens, toolOutputStubBytes));
}

/** In no particular order. */
export function findPayloads(input: FindInput): FoundPayload[] {
  const { limits, encoding } = input;
  const shortest = Math.min(limits.largeFileTokenThreshold, limits.toolOutputStubBytes);
  const isLong = (text: string) => isLonger(text, Math.max(SHORTEST, shortest), encoding);
  const marked = markStrings(input.value, isLong, input.secret);
  if (marked.strings.length === 0) return [];
  const { role, parts } = input.read(marked.value);
  if (role === "assistant") return [];
  const taken = new Set<number>();
  return parts.flatMap((part) => {
    const indexes = stringsOf(part, marked).filter((index) => !taken.has(index));
    for (const index of indexes) taken.add(index);
    return indexes.flatMap((index) => payloadsOf(part, index, role, marked, input));
  });
}

function stringsOf(part: Part, marked: MarkedValue): number[] {
  if (part.type === "text") return marked.markedIn(part.text);
  return part.type === "tool" ? marked.markedIn(part.output ?? "") : [];
}

function payloadsOf(
  part: Part,
  index: number,
  role: Role,
  marked: MarkedValue,
  input: FindInput,
): FoundPayload[] {
  const string = marked.strings[index] ?? "";
  if (part.type === "tool") return role === "system" ? [] : results(part, string, index, marked, input);
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

function results(
  part: Extract<Part, { type: "tool" }>,
  string: string,
  index: number,
  { restore }: MarkedValue,
  { limits, encoding }: FindInput,
): FoundPayload[] {
  if (!isLonger(string, limits.toolOutputStubBytes, encoding)) return [];
  const whole = (text: string | null) => (text === null ? null : meant(restore(text), encoding));
  return [
    {
      ...{ kind: "tool-output", string, index, name: null, mime: null },
      ...{ start: 0, end: string.length, outerStart: 0, outerEnd: string.length },
      ...{ hiddenStart: 0, hiddenEnd: string.length },
      ...{ tool: whole(part.name), callId: whole(part.callId), input: whole(part.input) },
    },
  ];
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
