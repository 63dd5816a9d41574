/** Small inputs for store tests: messages and writes with all fields set. */
import { sha256 } from "../../text/bytes.ts";
import { basisOf } from "../rules/transcript-basis.ts";
import type {
  AppendWrite,
  NewMessage,
  NewSummary,
  NewTranscriptLine,
  PublishWrite,
  Transcript,
  TranscriptBasis,
  TranscriptWrite,
  Write,
  WriteResult,
} from "../store.ts";

export const AT = "2026-03-01T10:00:00.000Z";

let salts = 0;

/** A salt that no other sample has. */
function nextSalt(): string {
  return (++salts).toString(16).padStart(32, "0");
}

export function sampleMessage(key: string, text = key, more: Partial<NewMessage> = {}): NewMessage {
  return {
    key,
    role: "user",
    format: "message",
    content: JSON.stringify({ role: "user", content: text }),
    tokenCount: 3,
    stubTokenCount: null,
    files: [],
    createdAt: AT,
    salt: nextSalt(),
    parts: [{ type: "text", toolCallId: null, toolName: null, toolStatus: null }],
    excluded: null,
    ...more,
  };
}

export function sampleAppend(
  session: string,
  messages: readonly NewMessage[],
  more: Partial<AppendWrite> = {},
): AppendWrite {
  return {
    kind: "append",
    address: { sessionId: session, sessionKey: null },
    create: { id: conversationIdFor(session), title: null, createdAt: AT },
    turnKey: null,
    messages,
    onOtherContent: "refuse",
    afterSeq: null,
    leaveOthersAfter: null,
    leaveContext: [],
    enterContext: [],
    transcript: null,
    receipt: null,
    at: AT,
    ...more,
  };
}

let summaries = 0;

/** A summary of these messages (seqs) or summaries (ids). */
export function sampleSummary(sources: readonly (number | string)[]): NewSummary {
  const number = ++summaries;
  const seqs = sources.filter((source) => typeof source === "number");
  const ids = sources.filter((source) => typeof source === "string");
  return {
    id: `sum_${sha256(`summary ${number}`).slice(0, 16)}`,
    content: `summary ${number} of ${sources.join(", ")}`,
    tokenCount: 2,
    quality: "normal",
    model: "test/model",
    fileIds: [],
    fidelity: 0.5,
    sources: ids.length > 0 ? { type: "summaries", ids } : { type: "messages", seqs },
    createdAt: AT,
  };
}

export function samplePublish(id: string, summary: NewSummary): PublishWrite {
  const event = {
    at: AT,
    summary: summary.id,
    trigger: "manual",
    tokensBefore: 10,
    tokensAfter: 2,
    milliseconds: 1,
    freshFrom: 4,
  };
  return { kind: "publish", id, summary, event, at: AT };
}

/** A conversation id made from the session's name, so that tests can name it in advance. */
export function conversationIdFor(session: string): string {
  return `conv_${sha256(session).slice(0, 16)}`;
}

export function sampleTranscript(
  more: Partial<Transcript> = {},
): Omit<Transcript, "conversation" | "updatedAt"> {
  return {
    number: 1,
    path: "/host/session.jsonl",
    format: "pi",
    previous: null,
    sharedLines: 0,
    lineCount: 1,
    offset: 10,
    size: 10,
    modifiedAtMs: 1_772_359_200_123.5,
    readHash: "ab".repeat(32),
    lastLineBytes: 9,
    readerVersion: 1,
    ...more,
  };
}

/** A first version of a transcript, unless it names the version that it continues. */
export function sampleTranscriptWrite(
  state: Partial<Transcript>,
  lines: readonly NewTranscriptLine[],
  plannedFrom: TranscriptBasis = basisOf([], null),
): TranscriptWrite {
  return { plannedFrom, state: sampleTranscript(state), lines };
}

export function sampleLine(line: number, more: Partial<NewTranscriptLine> = {}): NewTranscriptLine {
  return {
    line,
    kind: "event",
    content: `{"line":${line}}`,
    messageKey: null,
    seq: null,
    entryKey: null,
    parentKey: null,
    response: null,
    lane: "main",
    hash: line.toString(16).padStart(64, "0"),
    problem: null,
    ...more,
  };
}

/** The result of the only write, which is of this kind. */
export function onlyResult<Kind extends Write["kind"]>(
  results: readonly WriteResult[],
  kind: Kind,
): Extract<WriteResult, { kind: Kind }> {
  const result = results[0];
  if (results.length !== 1 || result?.kind !== kind) throw new Error(`expected one ${kind} result`);
  return result as Extract<WriteResult, { kind: Kind }>;
}
