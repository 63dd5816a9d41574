/**
 * Conversations of lossless-claw, the context engine for OpenClaw, read from its database. A message keeps its parts, and a
 * large file is put back into its message. Summaries are imported with their sources.
 */
import { isUtf8 } from "node:buffer";
import { fieldAt, listAt, textAt } from "../json-fields.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentSession,
  type DocumentSummary,
  restOf,
  sessionForEach,
  timeOf,
} from "./document-format.ts";
import { blocksOfPart } from "./lossless-claw-parts.ts";

export const losslessClaw: DocumentFormat = {
  name: "lossless-claw",
  label: "lossless-claw",
  // A database is recognised by its tables instead.
  recognises: () => false,
  sessions: sessionForEach("lossless-claw", (value) => Array.isArray(fieldAt(value, "messages")), sessionOf),
};

function sessionOf(value: unknown): DocumentSession {
  const conversation = fieldAt(value, "conversation");
  const number = String(fieldAt(conversation, "conversation_id"));
  const session = textAt(conversation, "session_id");
  const messages = listAt(value, "messages");
  const files = placeFiles(listAt(value, "files"), messages, listAt(value, "parts"));
  const parts = Map.groupBy(listAt(value, "parts"), (part) => String(fieldAt(part, "message_id")));
  const isArchived = fieldAt(conversation, "active") === 0;
  return {
    // Several conversations may share a session, and OpenClaw's own transcript has the same session id.
    sessionId: ["lossless-claw", number, ...(session === null ? [] : [session])].join(":"),
    title: textAt(conversation, "title"),
    titleIsAutomatic: true,
    hostContext: { host: "openclaw" },
    entries: [
      { id: "conversation", event: { ...restOf(conversation), unplaced: files.get(null) ?? [] } },
      ...messages.map((message, at) =>
        entryOf(message, {
          parts: parts.get(numberOf(message)) ?? [],
          files: files.get(numberOf(message)) ?? [],
          before: at === 0 ? null : entryId(numberOf(messages[at - 1])),
        }),
      ),
    ],
    summaries: summariesOf(value),
    shown: shownIn(value),
    problems: listAt(value, "problems").map(String),
    ...(isArchived ? { isArchived } : {}),
  };
}

function numberOf(message: unknown): string {
  return String(fieldAt(message, "message_id"));
}

function entryId(message: string): string {
  return `message-${message}`;
}

interface Placed {
  readonly parts: readonly unknown[];
  readonly files: readonly unknown[];
  readonly before: string | null;
}

function entryOf(message: unknown, { parts, files, before }: Placed): DocumentEntry {
  const role = textAt(message, "role") ?? "user";
  const content = textAt(message, "content") ?? "";
  const blocks = parts.flatMap((part) => blocksOfPart(part, { role, content }));
  const isSaid = parts.length > 0 && JSON.stringify(blocks).includes(JSON.stringify(content).slice(1, -1));
  return {
    id: entryId(numberOf(message)),
    parentId: before,
    ...timeOf(universalTime(textAt(message, "created_at"))),
    message: {
      role,
      parts: [...(parts.length > 0 ? blocks : [{ type: "text", text: content }]), ...files.map(fileBlock)],
      host: {
        ...restOf(message, "role", "content", "created_at"),
        // The engine's own rendering of the parts, if the parts do not contain the same text.
        ...(parts.length === 0 || isSaid ? {} : { content }),
      },
    },
  };
}

/** SQLite's `datetime('now')` is in UTC but has no zone. */
function universalTime(time: string | null): string | null {
  return time?.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/, "$1T$2Z") ?? null;
}

/** Text becomes a text block, so that it can be searched. Our own limit for large payloads decides whether it is externalised. */
function fileBlock(file: unknown): object {
  const row = restOf(file, "content");
  const base64 = textAt(file, "content") ?? "";
  const bytes = Buffer.from(base64, "base64");
  if (isUtf8(bytes) && !bytes.includes(0)) return { type: "text", text: bytes.toString(), row };
  const mime = textAt(file, "mime_type") ?? "application/octet-stream";
  const name = textAt(file, "file_name") ?? textAt(file, "file_id");
  return { type: "file", mime, name, url: `data:${mime};base64,${base64}`, row };
}

/** Files by the first message that names them. Unnamed and unreadable files are listed under null. */
function placeFiles(
  files: readonly unknown[],
  messages: readonly unknown[],
  parts: readonly unknown[],
): ReadonlyMap<string | null, readonly unknown[]> {
  const texts = [...messages, ...parts].map((row) => ({ message: numberOf(row), text: JSON.stringify(row) }));
  return Map.groupBy(files, (file) => {
    const id = textAt(file, "file_id");
    if (id === null || typeof fieldAt(file, "content") !== "string") return null;
    return texts.find(({ text }) => text.includes(id))?.message ?? null;
  });
}

function summariesOf(value: unknown): DocumentSummary[] {
  const from = (table: string) => Map.groupBy(listAt(value, table), (link) => textAt(link, "id"));
  const links = from("links");
  const covered = from("covered");
  return listAt(value, "summaries").map((row) => {
    const id = textAt(row, "summary_id") ?? "";
    const sources = (covered.get(id) ?? []).map((link) => entryId(String(fieldAt(link, "source"))));
    const parents = (links.get(id) ?? []).map((link) => String(fieldAt(link, "source")));
    return {
      ...{ id, text: textAt(row, "content") ?? "", model: textAt(row, "model") },
      createdAt: universalTime(textAt(row, "created_at")),
      from: parents.length > 0 ? { type: "summaries", ids: parents } : { type: "messages", ids: sources },
      row,
    };
  });
}

/** Null if the database does not say what is shown: everything is then. */
function shownIn(value: unknown): ReadonlySet<string> | null {
  const items = listAt(value, "items");
  if (items.length === 0) return null;
  return new Set(items.map((item) => textAt(item, "summary_id") ?? entryId(numberOf(item))));
}
