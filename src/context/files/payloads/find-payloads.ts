/**
 * Which parts of a message are payloads: attached files and pastes in what was said to the model, and what is long in
 * the results of tools. What a model wrote is never one: in what an assistant said only results are looked at.
 */
import type { Part, Role } from "../../../types.ts";
import { findInResults, type ResultPart } from "./find-in-results.ts";
import { findInText } from "./find-in-text.ts";
import {
  encodingOf,
  type FindInput,
  type FoundPayload,
  type FoundPayloads,
  meant,
  type StringEncoding,
} from "./found-payload.ts";
import { type MarkedValue, markStrings } from "./mark-strings.ts";
import { SHORTEST, SHORTEST_OF_MANY } from "./payload-limits.ts";
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

/** Whether what the text means has more bytes than this. */
function isLonger(text: string, bytes: number, encoding: StringEncoding): boolean {
  if (text.length > bytes || encoding === "latin1") return text.length > bytes;
  // No character has more than three bytes for each of its units.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}
