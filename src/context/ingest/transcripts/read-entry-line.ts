/** Reads one line of a transcript: a message, an event, or an unreadable line that is kept. */
import { BLANK_ENTRY, type Entry, type TranscriptFormat } from "../../../message/hosts/transcript-format.ts";
import { isOwnText } from "../../../message/own-text.ts";
import { type MessageShape, readMessage } from "../../../message/read-parts.ts";
import { sha256 } from "../../../text/bytes.ts";
import { jsonProblem } from "../../../text/json-problem.ts";
import { decodeExactly, decodeLeniently, storableName, withoutByteOrderMark } from "../../../text/utf8.ts";

export interface EntryLine {
  readonly kind: "message" | "event" | "unreadable" | "torn";
  readonly entry: Entry;
  /** The exact line: text if it is valid text, else bytes. */
  readonly content: string | Uint8Array;
  readonly hash: string;
  readonly shape: MessageShape | null;
  readonly problem: string | null;
}

export function readEntryLine(format: TranscriptFormat, bytes: Uint8Array, terminated: boolean): EntryLine {
  const exact = decodeExactly(bytes);
  const line = { content: exact ?? bytes, hash: sha256(bytes), shape: null, problem: null };
  const text = withoutByteOrderMark(exact ?? decodeLeniently(bytes));
  if (text.trim() === "") return { ...line, kind: "event", entry: BLANK_ENTRY };
  const parsed = parseObject(text);
  const unreadable = (problem: string): EntryLine => ({
    ...line,
    kind: terminated ? "unreadable" : "torn",
    entry: BLANK_ENTRY,
    problem: terminated ? problem : `not complete yet: ${problem}`,
  });
  if ("problem" in parsed) return unreadable(parsed.problem);
  const entry = withStorableNames(format.readEntry(parsed.value));
  if (entry.kind === "unreadable") return unreadable(entry.problem ?? "it is not readable");
  if (entry.kind === "event") return { ...line, kind: "event", entry };
  const shape = readMessage(format.unwrap(parsed.value), "lenient");
  if (isOwnText(shape.parts)) return { ...line, kind: "event", entry };
  return { ...line, kind: "message", entry, shape };
}

/** The ids in a line are the host's and may contain any character. The line itself keeps them unchanged. */
function withStorableNames(entry: Entry): Entry {
  const orNull = (name: string | null) => (name === null ? null : storableName(name));
  return {
    ...entry,
    entryKey: orNull(entry.entryKey),
    parentKey: orNull(entry.parentKey),
    response: orNull(entry.response),
    toolCalls: entry.toolCalls.map(storableName),
    toolResults: entry.toolResults.map(storableName),
  };
}

function parseObject(text: string): { value: object } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value };
    return { problem: "not a JSON object" };
  } catch (error) {
    return { problem: jsonProblem(error) };
  }
}
