/**
 * Decides which parts of a message are payloads: attached files and pastes in input for the model, and long content of
 * tool results. Model output is never a payload: in assistant messages only results are searched.
 */
import type { Part, Role } from "../../../types.ts";
import { findInText } from "./find-in-text.ts";
import { findValues } from "./find-values.ts";
import {
  type AnsweredCall,
  encodingOf,
  type FindInput,
  type FoundPayload,
  type FoundPayloads,
  type FoundValue,
  meant,
  SHORTEST,
  SHORTEST_OF_MANY,
  type StringEncoding,
} from "./found-payload.ts";
import { type MarkedValue, markStrings } from "./mark-strings.ts";
import type { WrittenValue } from "./places-of-marks.ts";
import { wellFormedStretches } from "./well-formed-stretches.ts";

const NOTHING: FoundPayloads = { texts: [], values: [] };

/** In no particular order. */
export function findPayloads(input: FindInput): FoundPayloads {
  const { limits } = input;
  const encoding = encodingOf(input);
  const shortest = Math.min(limits.largeFileTokenThreshold, limits.toolOutputStubBytes, SHORTEST_OF_MANY);
  const isLong = (text: string) => isLonger(text, Math.max(SHORTEST, shortest), encoding);
  const marked = markStrings(input.value, isLong, input.secret);
  const { role, parts } = input.read(marked.value);
  const files: FoundPayload[] = [];
  const results: ResultPart[] = [];
  const taken = new Set<number>();
  parts.forEach((part, at) => {
    const indexes = stringsOf(part, marked).filter((index) => !taken.has(index));
    for (const index of indexes) taken.add(index);
    if (part.type === "tool") results.push({ part, at, indexes });
    else if (role !== "assistant")
      files.push(...indexes.flatMap((index) => attachments(index, role, marked, input)));
  });
  const found = role === "system" ? NOTHING : findInResults(results, marked, input);
  return { texts: [...files, ...found.texts].flatMap(wellFormedStretches), values: found.values };
}

function stringsOf(part: Part, marked: MarkedValue): number[] {
  if (marked.strings.length === 0) return [];
  if (part.type === "text") return marked.markedIn(part.text);
  return part.type === "tool" ? marked.markedIn(part.output ?? "") : [];
}

function attachments(index: number, role: Role, marked: MarkedValue, input: FindInput): FoundPayload[] {
  const string = marked.strings[index] ?? "";
  const { limits, countTokens } = input;
  const encoding = encodingOf(input);
  const isLarge = (text: string) =>
    isLonger(text, Math.max(SHORTEST, limits.largeFileTokenThreshold), encoding) &&
    countTokens(meant(text, encoding)) > limits.largeFileTokenThreshold;
  return findInText(string, isLarge, role !== "system").map((found) => ({
    ...found,
    ...{ kind: "file", string, index, tool: null, callId: null, input: null },
    name: found.name === null ? null : meant(found.name, encoding),
  }));
}

/** Whether the text, decoded, has more bytes than this. */
function isLonger(text: string, bytes: number, encoding: StringEncoding): boolean {
  if (text.length > bytes || encoding === "latin1") return text.length > bytes;
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** The externalised parts of tool results: long texts, or a whole result that is data with too few such texts. */
interface ResultPart {
  readonly part: Extract<Part, { type: "tool" }>;
  /** The index of the part in the message. */
  readonly at: number;
  /** The message's long strings that are in it. */
  readonly indexes: readonly number[];
}

function findInResults(results: readonly ResultPart[], marked: MarkedValue, input: FindInput): FoundPayloads {
  const sizing = { limit: input.limits.toolOutputStubBytes, encoding: encodingOf(input) };
  const chosen = results.map(({ part, at, indexes }) => {
    return { part, at, ...chooseTexts(part, indexes, marked, sizing) };
  });
  const tooLarge = chosen.filter(({ isTooLarge }) => isTooLarge).map(({ at }) => at);
  const places = placesOfData(new Set(tooLarge), input);
  const texts: FoundPayload[] = [];
  const values: FoundValue[] = [];
  for (const { part, at, indexes } of chosen) {
    const place = places.get(at);
    if (place === undefined && indexes.length === 0) continue;
    const call = callOf(part, marked, input);
    if (place !== undefined) values.push({ ...place, ...call });
    else texts.push(...indexes.map((index) => wholeString(index, call, marked)));
  }
  return { texts, values };
}

/** By the number of the part. Data in bytes that are not UTF-8 is not externalised. */
function placesOfData(wanted: ReadonlySet<number>, input: FindInput): ReadonlyMap<number, WrittenValue> {
  const { original, keepsShapes, limits } = input;
  if (original === null || keepsShapes || wanted.size === 0) return new Map();
  return findValues({ ...input, original, bytes: limits.toolOutputStubBytes }, (at) => wanted.has(at));
}

function callOf(part: ResultPart["part"], marked: MarkedValue, input: FindInput): AnsweredCall {
  const restored = (text: string | null) =>
    text === null ? null : meant(marked.restore(text), encodingOf(input));
  return { tool: restored(part.name), callId: restored(part.callId), input: restored(part.input) };
}

function wholeString(index: number, call: AnsweredCall, { strings }: MarkedValue): FoundPayload {
  const string = strings[index] ?? "";
  return {
    ...{ kind: "tool-output", string, index, name: null, mime: null, ...call },
    ...{ start: 0, end: string.length, outerStart: 0, outerEnd: string.length },
    ...{ hiddenStart: 0, hiddenEnd: string.length },
  };
}

/** The externalised texts of a tool's result, and whether the result is still too large without them. */
interface ChosenTexts {
  /** Texts that are too large alone, and the largest of many small ones, until the rest is small enough. */
  readonly indexes: readonly number[];
  /** Whether the rest, with a reference for each of them, is still too large. */
  readonly isTooLarge: boolean;
}

function chooseTexts(
  { output }: Extract<Part, { type: "tool" }>,
  indexes: readonly number[],
  marked: MarkedValue,
  { limit, encoding }: { readonly limit: number; readonly encoding: "utf8" | "latin1" },
): ChosenTexts {
  const sizeOf = (text: string) => Buffer.byteLength(text, encoding);
  const sized = indexes.map((index) => ({ index, bytes: sizeOf(marked.strings[index] ?? "") }));
  let left = sizeOf(marked.without(output ?? "")) + sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen: number[] = [];
  for (const { index, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    if (left <= limit || bytes <= Math.min(limit, SHORTEST_OF_MANY)) break;
    chosen.push(index);
    left -= bytes;
  }
  return { indexes: chosen, isTooLarge: left + chosen.length * SHORTEST > Math.max(SHORTEST, limit) };
}
