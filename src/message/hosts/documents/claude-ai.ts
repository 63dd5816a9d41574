/**
 * Claude.ai's data export, `conversations.json`: a list of conversations with `chat_messages`, whose content follows the
 * Messages API. Attachments include their extracted text, files only their names. Newer exports link each message to its
 * predecessor; older exports are in order.
 */
import { fieldAt, isObject, listAt, textAt, timeAt } from "../json-fields.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentSession,
  restOf,
  sessionForEach,
  timeOf,
} from "./document-format.ts";

export const claudeAi: DocumentFormat = {
  name: "claude-ai",
  label: "Claude.ai export",
  recognises: (lines, start) =>
    lines.some(isConversation) || /^\s*\[?\s*\{\s*"uuid"\s*:[\s\S]*?"chat_messages"\s*:\s*\[/.test(start),
  sessions: sessionForEach("Claude.ai", isConversation, sessionOf),
};

function isConversation(value: unknown): boolean {
  return textAt(value, "uuid") !== null && Array.isArray(fieldAt(value, "chat_messages"));
}

function sessionOf(value: unknown): DocumentSession {
  const messages = listAt(value, "chat_messages");
  const ids = new Set(messages.map(idOf));
  return {
    sessionId: textAt(value, "uuid") ?? "",
    title: textAt(value, "name"),
    titleIsAutomatic: true,
    hostContext: { host: "claude-ai", model: textAt(value, "model") },
    entries: [
      { id: "conversation", event: restOf(value, "chat_messages") },
      ...messages.map((message, index) => entryOf(message, index, messages, ids)),
    ],
  };
}

function idOf(message: unknown, index: number): string {
  return textAt(message, "uuid") ?? `message-${index}`;
}

function entryOf(
  message: unknown,
  index: number,
  messages: readonly unknown[],
  ids: ReadonlySet<string>,
): DocumentEntry {
  const named = textAt(message, "parent_message_uuid");
  const before = index === 0 ? null : idOf(messages[index - 1], index - 1);
  const parentId = named === null ? before : ids.has(named) ? named : null;
  const role = textAt(message, "sender") === "assistant" ? "assistant" : "user";
  const host = restOf(message, "uuid", "sender", "text", "content", "attachments", "files");
  const content = [
    ...contentOf(message),
    ...listAt(message, "attachments").map(attachment),
    ...filesOf(message),
  ];
  return {
    id: idOf(message, index),
    parentId,
    ...timeOf(timeAt(message, "created_at")),
    message: { role, content, host },
  };
}

/** `text` is the older field and repeats the content. */
function contentOf(message: unknown): unknown[] {
  const content = listAt(message, "content");
  if (content.length > 0) return [...content];
  const text = textAt(message, "text");
  return text === null ? [] : [{ type: "text", text }];
}

function attachment(file: unknown): object {
  const name = textAt(file, "file_name") ?? "attachment";
  const text = textAt(file, "extracted_content");
  const more = { name, host: restOf(file, "file_name", "extracted_content") };
  return text === null
    ? { type: "file", ...more }
    : { type: "document", title: name, source: { type: "text", data: text }, ...more };
}

function filesOf(message: unknown): object[] {
  return listAt(message, "files").map((file) => ({
    type: "file",
    name: textAt(file, "file_name"),
    host: isObject(file) ? file : { file },
  }));
}
