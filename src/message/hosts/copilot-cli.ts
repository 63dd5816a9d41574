/**
 * Copilot CLI's `events.jsonl`: `{type, data, id, parentId, timestamp}`, each event following the one before it.
 * Messages are everything sent to or received from the model: system, user and assistant messages, tool results,
 * and notifications. Their data is converted to the shape of the Messages API, which has a field for all of it.
 */
import { basename, dirname } from "node:path";
import { withoutOwnText } from "../own-text.ts";
import { fieldAt, firstText, isObject, listAt, textAt, timeAt } from "./json-fields.ts";
import { fileStem } from "./session-names.ts";
import type { Entry, TranscriptFormat } from "./transcript-format.ts";

const EMPTY_REMINDER = /\n*<system_reminder>\s*<\/system_reminder>/g;
const EVENT_TYPE = /^(session|user|assistant|system|tool|hook|permission|subagent|skill|abort)(\.[a-z_]+)+$/;

export const copilotCli: TranscriptFormat = {
  name: "copilot-cli",
  label: "Copilot CLI",
  host: "copilot-cli",
  tree: true,
  recognises: (lines) => lines.some(isEvent),
  session: (lines, path) => ({ sessionId: startedId(lines) ?? folderId(path), title: null }),
  readEntry,
  unwrap: (value) => message(textAt(value, "type"), fieldAt(value, "data")),
};

function isEvent(line: unknown): boolean {
  return (
    EVENT_TYPE.test(textAt(line, "type") ?? "") &&
    isObject(fieldAt(line, "data")) &&
    textAt(line, "id") !== null
  );
}

function startedId(lines: readonly unknown[]): string | null {
  const starts = lines.filter((line) => textAt(line, "type") === "session.start");
  return firstText(starts.map((line) => textAt(fieldAt(line, "data"), "sessionId")));
}

/** Its own files are `<session>/events.jsonl`. */
function folderId(path: string): string {
  const stem = fileStem(path);
  return stem === "events" ? basename(dirname(path.replaceAll("\\", "/"))) || stem : stem;
}

function readEntry(value: unknown): Entry {
  const data = fieldAt(value, "data");
  const type = textAt(value, "type");
  const call = textAt(data, "toolCallId");
  return {
    kind: message(type, data) === undefined ? "event" : "message",
    entryKey: textAt(value, "id"),
    parentKey: textAt(value, "parentId"),
    response: null,
    toolCalls: requests(data).map((request) => textAt(request, "toolCallId") ?? ""),
    toolResults: type === "tool.execution_complete" && call !== null ? [call] : [],
    sidechain: textAt(data, "parentToolCallId") !== null,
    injected: type === "system.notification",
    createdAt: timeAt(value, "timestamp"),
    context: contextOf(type, data),
  };
}

/** Start and resume events contain the context; the model can change in between. */
function contextOf(type: string | null, data: unknown): Entry["context"] {
  if (!type?.startsWith("session.")) return {};
  const place = fieldAt(data, "context");
  return {
    project: textAt(place, "cwd"),
    branch: textAt(place, "branch"),
    model: textAt(data, "selectedModel") ?? textAt(data, "newModel"),
  };
}

function message(type: string | null, data: unknown): object | undefined {
  if (type === "system.message") return spoken("system", textAt(data, "content"));
  // The model receives the person's text with the host's additions.
  if (type === "user.message")
    return spoken("user", withoutOurs(textAt(data, "transformedContent") ?? textAt(data, "content")));
  if (type === "system.notification") return notification(textAt(data, "content"));
  if (type === "assistant.message") return answer(data);
  return type === "tool.execution_complete" ? toolResult(data) : undefined;
}

/** Removes the text that our hook added to a prompt; the stored line keeps it. */
function withoutOurs(text: string | null): string | null {
  return text === null ? null : withoutOwnText(text).replaceAll(EMPTY_REMINDER, "");
}

function spoken(role: string, content: string | null): object | undefined {
  return content === null ? undefined : { role, content };
}

function notification(text: string | null): object | undefined {
  return text === null ? undefined : { role: "user", parts: [{ type: "text", text, synthetic: true }] };
}

function answer(data: unknown): object {
  const thinking = textAt(data, "reasoningText");
  const text = textAt(data, "content");
  const calls = requests(data).map((request) => ({
    type: "tool_use",
    id: textAt(request, "toolCallId"),
    name: textAt(request, "name"),
    input: fieldAt(request, "arguments") ?? {},
  }));
  return {
    role: "assistant",
    content: [
      ...(thinking === null ? [] : [{ type: "thinking", thinking }]),
      ...(text === null ? [] : [{ type: "text", text }]),
      ...calls,
    ],
  };
}

function requests(data: unknown): readonly unknown[] {
  return listAt(data, "toolRequests").filter((request) => textAt(request, "toolCallId") !== null);
}

function toolResult(data: unknown): object | undefined {
  const call = textAt(data, "toolCallId");
  if (call === null) return undefined;
  const content =
    textAt(fieldAt(data, "result"), "content") ?? textAt(fieldAt(data, "error"), "message") ?? "";
  const failed = fieldAt(data, "success") === false;
  return { role: "user", content: [{ type: "tool_result", tool_use_id: call, content, is_error: failed }] };
}
