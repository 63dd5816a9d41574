/**
 * Sessions of OpenCode, as written by `opencode export` or read from its database: `{ info, messages: [{ info, parts }] }`. A
 * message of OpenCode is one entry, including its tool calls and results. Later additions to messages (diffs of a turn,
 * pruned results) are kept with the session, so that a complete message never changes.
 */
import { fieldAt, isObject, listAt, textAt, timeAt } from "../json-fields.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentSession,
  restOf,
  sessionForEach,
  textIn,
  timeOf,
} from "./document-format.ts";

export const opencode: DocumentFormat = {
  name: "opencode",
  label: "OpenCode",
  recognises: (lines, start) =>
    lines.some(isSession) || /^\s*\{\s*"info"\s*:\s*\{[^[]*"id"\s*:\s*"ses_/.test(start),
  sessions: sessionForEach("OpenCode", isSession, sessionOf),
};

function isSession(value: unknown): boolean {
  const id = textIn(value, "info", "id");
  return id?.startsWith("ses_") === true && Array.isArray(fieldAt(value, "messages"));
}

/** The same for both sources: an export repeats the parent ids in each part, and the database has the part id in a column. */
function partAlone(part: unknown): unknown {
  if (!isObject(part)) return part;
  return { id: textAt(part, "id"), ...restOf(part, "id", "sessionID", "messageID") };
}

/** The default name of a session until a model generates a title. */
const NO_TITLE = /^(New|Child) session - \d{4}-/;

function sessionOf(value: unknown): DocumentSession {
  const info = fieldAt(value, "info");
  const messages = listAt(value, "messages");
  const title = textAt(info, "title");
  const event = { ...restOf(info), others: restOf(value, "info", "messages"), notes: notesOn(messages) };
  return {
    sessionId: textAt(info, "id") ?? "",
    title: title === null || NO_TITLE.test(title) ? null : title,
    titleIsAutomatic: true,
    hostContext: { host: "opencode", project: textAt(info, "directory") },
    // An export and the database hold this in different fields.
    entries: [
      { id: isObject(fieldAt(info, "time")) ? "session" : "session-row", event },
      ...messages.map((message, at) => entryOf(message, messages, at)),
    ],
  };
}

function notesOn(messages: readonly unknown[]): object[] {
  return messages.flatMap((message) => {
    const summary = fieldAt(fieldAt(message, "info"), "summary");
    const pruned = listAt(message, "parts").flatMap((part) => {
      const compacted = fieldAt(timesOf(part), "compacted");
      return compacted === undefined ? [] : [{ part: textAt(part, "id"), compacted }];
    });
    const isNoted = isObject(summary) || pruned.length > 0;
    return isNoted ? [{ message: textIn(message, "info", "id"), summary, pruned }] : [];
  });
}

function timesOf(part: unknown): unknown {
  return fieldAt(fieldAt(part, "state"), "time");
}

function entryOf(value: unknown, messages: readonly unknown[], at: number): DocumentEntry {
  const info = fieldAt(value, "info");
  const id = textAt(info, "id") ?? `message-${at}`;
  const role = textAt(info, "role") === "assistant" ? "assistant" : "user";
  const model = textAt(info, "modelID") ?? textIn(info, "model", "modelID") ?? textIn(info, "model", "id");
  const error = fieldAt(info, "error");
  const written = listAt(value, "parts").map(partAlone);
  const parts = [...written.flatMap(blocksOf), ...(isObject(error) ? [failure(error)] : [])];
  const host = restOf(
    info,
    "id",
    "sessionID",
    "role",
    ...(isObject(fieldAt(info, "summary")) ? ["summary"] : []),
  );
  const isOpen = role === "assistant" && !isObject(error) && completedAt(info) === null;
  return {
    id,
    parentId: at === 0 ? null : (textIn(messages[at - 1], "info", "id") ?? `message-${at - 1}`),
    ...timeOf(timeAt(fieldAt(info, "time"), "created")),
    message: { role, ...(model === null ? {} : { model }), parts, host },
    // OpenCode writes a message before its parts.
    ...((isOpen || parts.length === 0) && at === messages.length - 1 ? { isUnfinished: true } : {}),
  };
}

function completedAt(info: unknown): string | null {
  return timeAt(fieldAt(info, "time"), "completed");
}

function failure(error: unknown): object {
  return {
    type: "failure",
    error: textIn(error, "data", "message") ?? textAt(error, "name") ?? "unknown error",
  };
}

/** Parts that our readers know under another name, or with different fields. */
function blocksOf(part: unknown): object[] {
  switch (textAt(part, "type")) {
    case "tool":
      return toolBlocks(part);
    case "file":
      return [{ ...restOf(part, "filename"), name: textAt(part, "filename") }];
    case "step-finish":
      return [{ ...restOf(part), type: "step_finish" }];
    case "snapshot":
      return [{ ...restOf(part, "snapshot"), hash: textAt(part, "snapshot") }];
    case "retry":
      return [
        {
          ...restOf(part, "error"),
          error: textIn(part, "error", "data", "message"),
          cause: fieldAt(part, "error"),
        },
      ];
    default:
      return isObject(part) ? [part] : [{ type: "opencode-part", part }];
  }
}

function toolBlocks(part: unknown): object[] {
  const state = fieldAt(part, "state");
  const time = restOf(timesOf(part), "compacted");
  const block = {
    ...restOf(part, "callID", "tool", "state"),
    callId: textAt(part, "callID") ?? textAt(part, "id") ?? "",
    name: textAt(part, "tool") ?? "",
    ...restOf(state, "attachments", "time"),
    input: fieldAt(state, "input") ?? {},
    time,
  };
  return [block, ...listAt(state, "attachments").flatMap(blocksOf)];
}
