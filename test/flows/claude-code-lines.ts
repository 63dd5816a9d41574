/** Lines of Claude Code's transcripts, written for tests of what a host repeats beside its messages. */
import { createHash } from "node:crypto";

/** A UUID that a name always gives. */
export function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

interface Entry {
  readonly name: string;
  readonly parent: string | null;
  readonly session: string;
}

function envelope({ name, parent, session }: Entry) {
  return {
    parentUuid: parent === null ? null : uuidOf(parent),
    isSidechain: false,
    sessionId: uuidOf(session),
    version: "2.1.0",
    uuid: uuidOf(name),
    timestamp: "2026-03-01T10:00:00.000Z",
  };
}

export function prompt(entry: Entry, text: string): string {
  return JSON.stringify({ ...envelope(entry), type: "user", message: { role: "user", content: text } });
}

export function answer(entry: Entry, text: string): string {
  const content = [{ type: "text", text }];
  return JSON.stringify({
    ...envelope(entry),
    type: "assistant",
    message: { id: `msg_${entry.name}`, role: "assistant", content },
  });
}

/** The model writes a file. */
export function writeCall(entry: Entry, content: string): string {
  const input = { file_path: "/project/notes.md", content };
  return JSON.stringify({
    ...envelope(entry),
    type: "assistant",
    message: {
      id: `msg_${entry.name}`,
      role: "assistant",
      content: [{ type: "tool_use", id: `toolu_${entry.name}`, name: "Write", input }],
    },
  });
}

/** The host's answer to it, which repeats what was written beside the message. */
export function writeResult(entry: Entry, call: string, content: string): string {
  return JSON.stringify({
    ...envelope(entry),
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: `toolu_${call}`, content: "File created successfully" }],
    },
    toolUseResult: { type: "create", filePath: "/project/notes.md", content, structuredPatch: [] },
  });
}

export function lastPrompt(session: string, text: string): string {
  return JSON.stringify({ type: "last-prompt", lastPrompt: text, sessionId: uuidOf(session) });
}
