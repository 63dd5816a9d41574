/** Small transcripts of each host, written for these tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const SESSION = "11111111-2222-4333-8444-555555555555";

function lines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function claudeLine(uuid: string, parentUuid: string | null, message: object, minute: number): object {
  const type = "role" in message && message.role === "assistant" ? "assistant" : "user";
  const timestamp = `2026-03-01T10:0${minute}:00.000Z`;
  return { type, uuid, parentUuid, sessionId: SESSION, isSidechain: false, timestamp, message };
}

/** Asked, answered with a tool and a thought, and one answer abandoned for another. */
export function claudeCode(): string {
  const call = { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "src/main.ts" } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "line one\nline two" };
  return lines([
    { type: "file-history-snapshot", messageId: "snapshot-1", snapshot: {} },
    claudeLine("u1", null, { role: "user", content: "Please read the main file" }, 1),
    claudeLine(
      "a1",
      "u1",
      { id: "r1", role: "assistant", content: [{ type: "thinking", thinking: "Hm." }] },
      2,
    ),
    claudeLine("a2", "a1", { id: "r1", role: "assistant", content: [call] }, 2),
    claudeLine("t1", "a2", { role: "user", content: [result] }, 3),
    claudeLine("x1", "t1", { role: "user", content: "an abandoned question" }, 4),
    claudeLine("u2", "t1", { role: "user", content: "And the other file?" }, 5),
    claudeLine("a3", "u2", { id: "r2", role: "assistant", content: [{ type: "text", text: "Done." }] }, 6),
  ]);
}

export function codex(): string {
  const timestamp = "2026-03-02T09:00:00.000Z";
  const item = (payload: object) => ({ timestamp, type: "response_item", payload });
  return lines([
    { timestamp, type: "session_meta", payload: { id: "codex-session-1", cwd: "/tmp", originator: "codex" } },
    item({ type: "message", role: "user", content: [{ type: "input_text", text: "list the files" }] }),
    item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "call_1" }),
    item({ type: "function_call_output", call_id: "call_1", output: "README.md" }),
    { timestamp, type: "event_msg", payload: { type: "token_count" } },
  ]);
}

export function pi(): string {
  const timestamp = "2026-03-03T09:00:00.000Z";
  return lines([
    { type: "session", version: 3, id: "pi-session-1", timestamp, cwd: "/tmp" },
    {
      type: "message",
      id: "e1",
      parentId: null,
      timestamp,
      message: { role: "user", content: "你好，世界" },
    },
    {
      type: "message",
      id: "e2",
      parentId: "e1",
      timestamp,
      message: { role: "assistant", content: [{ type: "text", text: "Hello! 🌍" }] },
    },
  ]);
}

/** The documented neutral form, with any messages. */
export function neutral(session: string, messages: readonly object[]): string {
  return lines([{ type: "palimpsest", version: 1, session, title: `The ${session} session` }, ...messages]);
}

export function said(role: string, content: string, id: string): object {
  return { role, content, id, createdAt: "2026-03-04T08:00:00.000Z" };
}

/** A folder as a person has it: four hosts, something unsupported, something that is no transcript. */
export function writeFolder(folder: string): string {
  const root = path.join(folder, "sessions");
  mkdirSync(path.join(root, "deep", "er"), { recursive: true });
  writeFileSync(path.join(root, `${SESSION}.jsonl`), claudeCode());
  writeFileSync(path.join(root, "deep", "rollout.jsonl"), codex());
  writeFileSync(path.join(root, "deep", "er", "pi.jsonl"), pi());
  const torn = `${neutral("notes", [said("user", "kept", "n1")])}{"role":"user","content":"broken\n${JSON.stringify(said("assistant", "kept too", "n2"))}\n`;
  writeFileSync(path.join(root, "notes.jsonl"), torn);
  writeFileSync(path.join(root, "trace.json"), '{"traceSchema":"openclaw-trajectory","seq":1}\n');
  writeFileSync(path.join(root, "readme.txt"), "not looked at");
  return root;
}
