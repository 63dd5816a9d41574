/**
 * Codex rollouts: each line is `{timestamp, type, payload}`. A `response_item` is an item of the Responses API as
 * it was sent to or received from the model: a message. The other lines (session and turn records, interface events
 * that repeat the same text, compactions) are events. The file is linear.
 */
import { fieldAt, isObject, textAt, timeAt } from "./json-fields.ts";
import { fileStem, uuidAtEnd } from "./session-names.ts";
import { BLANK_ENTRY, type Entry, type SessionParent, type TranscriptFormat } from "./transcript-format.ts";

const ENVELOPES = ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"];
const CALLS = ["function_call", "custom_tool_call", "local_shell_call", "tool_search_call"];
const OUTPUTS = ["function_call_output", "custom_tool_call_output", "tool_search_output"];
/** Items that Codex stores for its own undo and never sends. */
const PRIVATE_ITEMS = ["ghost_snapshot"];

export const codex: TranscriptFormat = {
  name: "codex",
  label: "Codex",
  host: "codex",
  tree: false,
  recognises: (lines) => lines.some(isEnvelope),
  session: (lines, path) => ({
    sessionId: textAt(metaOf(lines), "id") ?? uuidAtEnd(path) ?? fileStem(path),
    title: null,
    parent: parentIn(lines),
  }),
  readEntry,
  unwrap: (value) => fieldAt(value, "payload"),
};

function isEnvelope(line: unknown): boolean {
  return ENVELOPES.includes(textAt(line, "type") ?? "") && isObject(fieldAt(line, "payload"));
}

/** A fork copies the records of its origin after its own, so the first record belongs to this file. */
function metaOf(lines: readonly unknown[]): unknown {
  const meta = lines.find((line) => textAt(line, "type") === "session_meta");
  return fieldAt(meta, "payload");
}

/** A sub-agent may begin with a copy of its parent's messages; it is not a fork. */
function parentIn(lines: readonly unknown[]): SessionParent | null {
  const meta = metaOf(lines);
  const [parent, origin] = [textAt(meta, "parent_thread_id"), textAt(meta, "forked_from_id")];
  if (parent !== null) return { sessionId: parent, relation: "child" };
  return origin === null ? null : { sessionId: origin, relation: "fork" };
}

function readEntry(value: unknown): Entry {
  const createdAt = timeAt(value, "timestamp");
  const payload = fieldAt(value, "payload");
  const isMessage = textAt(value, "type") === "response_item" && isSentItem(payload);
  return isMessage
    ? { ...readItem(payload), createdAt }
    : { ...BLANK_ENTRY, createdAt, context: contextOf(payload) };
}

/** Records of sessions and turns contain the context. */
function contextOf(record: unknown): Entry["context"] {
  return {
    project: textAt(record, "cwd"),
    branch: textAt(fieldAt(record, "git"), "branch"),
    model: textAt(record, "model"),
  };
}

function isSentItem(item: unknown): boolean {
  return isObject(item) && !PRIVATE_ITEMS.includes(textAt(item, "type") ?? "");
}

/** Reads an item of the Responses API; also a whole line of the previous format. */
export function readItem(item: unknown): Entry {
  const type = textAt(item, "type") ?? "";
  const call = textAt(item, "call_id");
  return {
    ...BLANK_ENTRY,
    kind: "message",
    toolCalls: call !== null && CALLS.includes(type) ? [call] : [],
    toolResults: call !== null && OUTPUTS.includes(type) ? [call] : [],
  };
}
