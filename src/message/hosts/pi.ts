/**
 * Sessions of the pi coding agent, and of OpenClaw, which writes the same lines. Since version 2 entries form a
 * tree by `id` and `parentId`; before that they have no ids, and the file is simply in order. Messages are the
 * entries that pi puts into the model's context with their own text: `message`, `custom_message` and
 * `branch_summary`. Compactions, the system prompt, model changes, labels, edits and extension state are events.
 */
import { fieldAt, firstText, idsInBlocks, isObject, listAt, textAt, timeAt } from "./json-fields.ts";
import { fileStem, uuidAtEnd } from "./session-names.ts";
import { BLANK_ENTRY, type Entry, type SessionParent, type TranscriptFormat } from "./transcript-format.ts";

const ENTRY_TYPES = [
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom_message",
];

export const pi: TranscriptFormat = {
  name: "pi",
  label: "pi or OpenClaw",
  host: "pi",
  tree: true,
  recognises: (lines) => lines.some(isPiLine),
  session: (lines, path) => ({
    sessionId: headerId(lines) ?? uuidAtEnd(path) ?? fileStem(path),
    title: nameIn(lines),
    parent: parentIn(lines),
  }),
  readEntry,
  unwrap,
};

function isPiLine(line: unknown): boolean {
  const type = textAt(line, "type");
  if (type === "session") return textAt(line, "id") !== null && textAt(line, "cwd") !== null;
  if (type === "message") return textAt(fieldAt(line, "message"), "role") !== null;
  return type !== null && ENTRY_TYPES.includes(type) && textAt(line, "timestamp") !== null;
}

function headerId(lines: readonly unknown[]): string | null {
  return textAt(lines.find(isHeader), "id");
}

/** A fork names the file of its origin. */
function parentIn(lines: readonly unknown[]): SessionParent | null {
  const path = textAt(lines.find(isHeader), "parentSession");
  return path === null ? null : { path, relation: "fork" };
}

function isHeader(line: unknown): boolean {
  return textAt(line, "type") === "session";
}

function nameIn(lines: readonly unknown[]): string | null {
  const named = lines.filter((line) => textAt(line, "type") === "session_info");
  return firstText(named.toReversed().map((line) => textAt(line, "name")));
}

function readEntry(value: unknown): Entry {
  const createdAt = timeAt(value, "timestamp");
  // The header's id is the session's id; other entries must not refer to it as their parent.
  if (isHeader(value)) return { ...BLANK_ENTRY, createdAt, context: { project: textAt(value, "cwd") } };
  const message = fieldAt(value, "message");
  const answered = textAt(message, "role") === "toolResult" ? textAt(message, "toolCallId") : null;
  return {
    ...BLANK_ENTRY,
    kind: isMessage(value) ? "message" : "event",
    entryKey: textAt(value, "id"),
    parentKey: textAt(value, "parentId"),
    toolCalls: idsInBlocks(listAt(message, "content"), ["toolCall"], "id"),
    toolResults: answered === null ? [] : [answered],
    createdAt,
    context: { model: textAt(value, "modelId") ?? textAt(message, "model") },
  };
}

function isMessage(value: unknown): boolean {
  const type = textAt(value, "type");
  if (type === "custom_message") return fieldAt(value, "content") !== undefined;
  if (type === "branch_summary") return textAt(value, "summary") !== null;
  const message = fieldAt(value, "message");
  if (type !== "message" || !isObject(message)) return false;
  // The output of a command run with `!!` is not sent to the model, and pi itself replays the prompt and the tools.
  return fieldAt(message, "excludeFromContext") !== true && textAt(message, "role") !== "system";
}

/** Converts entries that are not messages in the file to the messages that pi makes of them. */
function unwrap(value: unknown): unknown {
  const type = textAt(value, "type");
  if (type === "custom_message") return { role: "custom", content: fieldAt(value, "content") };
  if (type === "branch_summary") return { role: "branchSummary", summary: fieldAt(value, "summary") };
  return fieldAt(value, "message");
}
