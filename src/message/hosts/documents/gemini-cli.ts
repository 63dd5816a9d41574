/**
 * Chats of Gemini CLI: one JSON document with `messages`, and since 2026 a log of JSON lines. The log repeats a message
 * whenever it grows; `$set` changes the session and `$rewindTo` removes messages. The log is append-only, so entries here
 * are stable: the text of a message is one entry, each of its tool calls another. A version that lacks text of an earlier
 * one (Gemini masks old tool results) is a separate entry. Notices to the person are events.
 */
import { fieldAt, isObject, listAt, textAt, timeAt } from "../json-fields.ts";
import { fileStem } from "../session-names.ts";
import {
  type DocumentEntry,
  type DocumentFormat,
  type DocumentMessage,
  type DocumentSession,
  restOf,
  textIn,
  timeOf,
} from "./document-format.ts";

export const geminiCli: DocumentFormat = {
  name: "gemini-cli",
  label: "Gemini CLI",
  recognises: (lines, start) => lines.some(isHeader) || /^\s*\{[^{[]*"projectHash"\s*:/.test(start),
  sessions,
};

function isHeader(line: unknown): boolean {
  return textAt(line, "projectHash") !== null && textAt(line, "sessionId") !== null;
}

async function* sessions(values: AsyncIterable<unknown>, path: string): AsyncIterable<DocumentSession> {
  const chat = new Chat();
  for await (const value of values) chat.take(value);
  yield chat.session(path);
}

/** A session, built from its records in order. */
class Chat {
  readonly #records = new Map<string, Recorded>();
  #metadata: Record<string, unknown> = {};
  readonly #others: unknown[] = [];
  #tip: string | null = null;
  #form = "log";

  take(value: unknown): void {
    const rewound = textAt(value, "$rewindTo");
    if (rewound !== null) this.#tip = this.#records.get(rewound)?.parentId ?? null;
    else if (isHeader(value)) this.#begin(value);
    else if (textAt(value, "id") !== null) this.#record(value);
    else if (isObject(fieldAt(value, "$set"))) this.#set(fieldAt(value, "$set"));
    else this.#others.push(value);
  }

  #begin(header: unknown): void {
    // When a session resumes, Gemini converts an old document into a log and keeps both files.
    if (listAt(header, "messages").length > 0) this.#form = "document";
    this.#set(header);
  }

  #set(fields: unknown): void {
    this.#metadata = { ...this.#metadata, ...restOf(fields, "messages") };
    for (const record of listAt(fields, "messages")) this.#record(record);
  }

  #record(record: unknown): void {
    const id = textAt(record, "id");
    if (id === null) {
      this.#others.push(record);
      return;
    }
    const known = this.#records.get(id);
    if (known === undefined) this.#records.set(id, { parentId: this.#tip, versions: [record] });
    else addVersion(known.versions, record);
    if (known === undefined) this.#tip = id;
  }

  session(path: string): DocumentSession {
    const records = [...this.#records];
    const entries: DocumentEntry[] = [];
    /** The last entry of each message. */
    const ends = new Map<string, string | null>();
    for (const [id, { parentId, versions }] of records) {
      const parent = parentId === null ? null : (ends.get(parentId) ?? null);
      const made = versions.map((record, index) =>
        entriesOf(record, index === 0 ? id : `${id}#${index + 1}`, parent),
      );
      entries.push(...made.flat());
      ends.set(id, made.at(-1)?.findLast(isMessage)?.id ?? parent);
    }
    const usage = records.map(([id, { versions }]) => [id, fieldAt(versions.at(-1), "tokens")] as const);
    const tokens = Object.fromEntries(usage.filter(([, counts]) => isObject(counts)));
    const event = { ...this.#metadata, tokens, others: this.#others };
    return {
      sessionId: textAt(this.#metadata, "sessionId") ?? fileStem(path),
      title: textAt(this.#metadata, "summary"),
      titleIsAutomatic: true,
      hostContext: { host: "gemini-cli", project: firstFolder(this.#metadata) },
      entries: [{ id: `session-${this.#form}`, event }, ...entries],
    };
  }
}

interface Recorded {
  readonly parentId: string | null;
  readonly versions: unknown[];
}

function isMessage(entry: DocumentEntry): entry is DocumentMessage {
  return "message" in entry;
}

function firstFolder(metadata: unknown): string | null {
  const [folder] = listAt(metadata, "directories");
  return typeof folder === "string" ? folder : null;
}

/** Keeps only the newest version, unless it lacks text of the previous one. */
function addVersion(versions: unknown[], record: unknown): void {
  const words = new Set(stringsIn(record));
  const isWhole = stringsIn(versions.at(-1)).every((text) => words.has(text));
  versions.splice(isWhole ? -1 : versions.length, isWhole ? 1 : 0, record);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value)
    ? Object.values(restOf(value, "timestamp", "tokens", "status")).flatMap(stringsIn)
    : [];
}

function entriesOf(record: unknown, id: string, parentId: string | null): DocumentEntry[] {
  const type = textAt(record, "type");
  if (type !== "user" && type !== "gemini") return [{ id, event: record }];
  const thoughts = listAt(record, "thoughts").map(thoughtBlock);
  const content = [...thoughts, ...blocksOf(fieldAt(record, "content"))];
  const role = type === "user" ? "user" : "assistant";
  const time = timeOf(timeAt(record, "timestamp"));
  const model = textAt(record, "model");
  const shared = { role, ...(model === null ? {} : { model }) };
  const host = restOf(
    record,
    "id",
    "timestamp",
    "type",
    "content",
    "thoughts",
    "toolCalls",
    "tokens",
    "model",
  );
  const calls = listAt(record, "toolCalls").map((call, index) => ({
    id: `${id}/${textAt(call, "id") ?? index}`,
    ...timeOf(timeAt(call, "timestamp") ?? time.createdAt ?? null),
    message: { ...shared, content: callBlocks(call, `${id}/${index}`) },
  }));
  const said = content.length === 0 ? [] : [{ id, ...time, message: { ...shared, content, host } }];
  let parent = parentId;
  return [...said, ...calls].map((entry) => {
    const placed = { ...entry, parentId: parent };
    parent = entry.id;
    return placed;
  });
}

function thoughtBlock(thought: unknown): object {
  const text = [textAt(thought, "subject"), textAt(thought, "description")].filter(Boolean).join("\n");
  return { type: "reasoning", text, host: restOf(thought, "subject", "description") };
}

/** Content is text, a part or a list of both. */
function blocksOf(content: unknown): object[] {
  return [content].flat().flatMap((part): object[] => {
    if (typeof part === "string") return part === "" ? [] : [{ type: "text", text: part }];
    return isObject(part) ? [partBlock(part)] : [];
  });
}

function partBlock(part: unknown): object {
  const text = fieldAt(part, "text");
  if (typeof text === "string")
    return { ...restOf(part, "text"), type: fieldAt(part, "thought") === true ? "reasoning" : "text", text };
  const inline = fieldAt(part, "inlineData");
  if (isObject(inline))
    return {
      type: "file",
      mime: textAt(inline, "mimeType"),
      name: textAt(inline, "displayName"),
      data: inline.data,
    };
  const file = fieldAt(part, "fileData");
  if (isObject(file))
    return {
      type: "file",
      mime: textAt(file, "mimeType"),
      name: textAt(file, "displayName"),
      url: file.fileUri,
    };
  const call = fieldAt(part, "functionCall");
  const answer = fieldAt(part, "functionResponse");
  const place = {
    type: "tool",
    callId: textIn(part, "functionCall", "id") ?? textIn(part, "functionResponse", "id") ?? "",
  };
  if (isObject(call)) return { ...place, name: call.name, input: call.args ?? {} };
  if (isObject(answer)) return { ...place, name: answer.name, output: responseText(answer.response) };
  return { type: "gemini-part", part };
}

/** The call with its result, and files in the result. */
function callBlocks(call: unknown, spareId: string): object[] {
  const parts = [fieldAt(call, "result")].flat().filter((part) => part !== undefined && part !== null);
  const isAnswer = (part: unknown) => isObject(fieldAt(part, "functionResponse"));
  const texts = parts
    .filter(isAnswer)
    .map((part) => responseText(fieldAt(fieldAt(part, "functionResponse"), "response")));
  const status = textAt(call, "status");
  const isFailed = status === "error" || status === "cancelled";
  const done =
    parts.length === 0 && !isFailed
      ? {}
      : { output: texts.join("\n"), status: isFailed ? "error" : "completed" };
  const block = {
    type: "tool",
    callId: textAt(call, "id") ?? spareId,
    name: textAt(call, "name") ?? "",
    input: fieldAt(call, "args") ?? {},
    ...done,
    host: restOf(call, "id", "name", "args", "result"),
  };
  const files = parts.filter(isAnswer).flatMap((part) => listAt(fieldAt(part, "functionResponse"), "parts"));
  return [block, ...blocksOf(files), ...blocksOf(parts.filter((part) => !isAnswer(part)))];
}

/** Most tools return `{ output }`; any other response is treated as data. */
function responseText(response: unknown): string {
  const isOne = isObject(response) && Object.keys(response).length === 1;
  const text = isOne ? (textAt(response, "output") ?? textAt(response, "error")) : null;
  return text ?? JSON.stringify(response ?? "");
}
