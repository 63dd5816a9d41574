import { describe, expect, it } from "vitest";
import { fence } from "../own-text.ts";
import { readMessage } from "../read-parts.ts";
import { claudeCode, claudeCodeSubagent } from "./claude-code.ts";

const SESSION = "0f8b6c1e-1111-4222-8333-944455556666";
const LINE = {
  parentUuid: "p",
  isSidechain: false,
  sessionId: SESSION,
  version: "2.1.0",
  uuid: "u",
  timestamp: "2026-03-01T10:00:00.000Z",
};
const PROMPT = { ...LINE, type: "user", message: { role: "user", content: "rename the parser" } };
const CALL = {
  ...LINE,
  type: "assistant",
  requestId: "req_1",
  message: {
    id: "msg_1",
    role: "assistant",
    content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "parser.ts" } }],
  },
};
const RESULT = {
  ...LINE,
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "export {}" }] },
};

function attachment(fields: object): object {
  return { ...LINE, type: "attachment", attachment: fields };
}

function wordsOf(line: unknown): string {
  const { parts } = readMessage(claudeCode.unwrap(line), "strict");
  return parts.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("|");
}

describe("an entry of Claude Code", () => {
  it("is a message when the person or the model speaks", () => {
    expect(claudeCode.readEntry(PROMPT)).toEqual({
      kind: "message",
      entryKey: "u",
      parentKey: "p",
      response: null,
      toolCalls: [],
      toolResults: [],
      sidechain: false,
      injected: false,
      createdAt: "2026-03-01T10:00:00.000Z",
      context: { project: null, branch: null, model: null },
    });
    expect(claudeCode.readEntry(CALL)).toMatchObject({
      kind: "message",
      response: "msg_1",
      toolCalls: ["toolu_1"],
    });
    expect(claudeCode.readEntry(RESULT)).toMatchObject({
      kind: "message",
      response: null,
      toolResults: ["toolu_1"],
    });
  });

  it("names a response by its request, or by itself, where the message has no id", () => {
    const { requestId, ...line } = { ...CALL, message: { role: "assistant", content: [] } };
    expect(claudeCode.readEntry({ ...line, requestId }).response).toBe("req_1");
    expect(claudeCode.readEntry(line).response).toBe("u");
  });

  it.each([
    ["progress", { ...LINE, type: "progress", data: { type: "hook_progress" } }],
    ["a hook's record", { ...LINE, type: "system", subtype: "stop_hook_summary", hookCount: 1 }],
    ["a snapshot", { type: "file-history-snapshot", messageId: "u", snapshot: {} }],
    ["a title", { type: "custom-title", customTitle: "Parser", sessionId: SESSION }],
    [
      "a queue record",
      { type: "queue-operation", operation: "enqueue", content: "later", sessionId: SESSION },
    ],
    ["a type of tomorrow", { ...LINE, type: "hologram", message: { role: "user", content: "?" } }],
    ["no object at all", "text"],
  ])("is an event when it is %s", (_, line) => {
    expect(claudeCode.readEntry(line).kind).toBe("event");
  });

  it("follows its logical parent at a compaction, and whatever came before it when it names none", () => {
    const boundary = { ...LINE, type: "system", subtype: "compact_boundary", parentUuid: null };
    expect(claudeCode.readEntry({ ...boundary, logicalParentUuid: "before" }).parentKey).toBe("before");
    expect(claudeCode.readEntry(boundary)).toMatchObject({ kind: "event", parentKey: "u" });
    expect(claudeCode.readEntry({ ...PROMPT, parentUuid: null }).parentKey).toBeNull();
  });

  it("is marked as injected when the host wrote it for the person", () => {
    expect(claudeCode.readEntry({ ...PROMPT, isMeta: true }).injected).toBe(true);
    expect(claudeCode.readEntry({ ...PROMPT, isCompactSummary: true, parentUuid: null })).toMatchObject({
      injected: true,
      parentKey: "u",
    });
  });

  it("is an event when it repeats what our own hooks said", () => {
    const own = fence("a digest", "what was there before");
    const hook = { type: "hook_additional_context", hookName: "UserPromptSubmit", content: [own] };
    expect(claudeCode.readEntry({ ...LINE, type: "attachment", attachment: hook }).kind).toBe("event");
    const beside = { ...hook, content: [own, "Said by another hook."] };
    expect(claudeCode.readEntry({ ...LINE, type: "attachment", attachment: beside }).kind).toBe("message");
    const printed = `<local-command-stdout>Compacted\nPreCompact [x] completed: ${own}</local-command-stdout>`;
    const line = { ...PROMPT, message: { role: "user", content: printed } };
    expect(claudeCode.readEntry(line).kind).toBe("event");
    const asked = { ...PROMPT, message: { role: "user", content: `What is this? ${own}` } };
    expect(claudeCode.readEntry(asked).kind).toBe("message");
  });

  it("is a message when it is the output of a local command, which the model gets to see", () => {
    const output = { ...LINE, type: "system", subtype: "local_command", content: "<local-command-stdout>3" };
    expect(claudeCode.readEntry(output)).toMatchObject({ kind: "message", injected: true });
    expect(wordsOf(output)).toBe("<local-command-stdout>3");
  });
});

describe("an attachment of Claude Code", () => {
  it.each([
    [
      "hook context",
      { type: "hook_additional_context", content: ["be brief"], hookName: "Stop" },
      "Stop\nbe brief",
    ],
    [
      "output of a start hook",
      { type: "hook_success", hookEvent: "SessionStart", content: "rules", stdout: "rules raw" },
      "rules",
    ],
    ["an edited file", { type: "edited_text_file", filename: "a.ts", snippet: "1\tlet a" }, "a.ts\n1\tlet a"],
    [
      "nested instructions",
      {
        type: "nested_memory",
        path: "R.md",
        content: { path: "R.md", content: "use tabs", rawContent: "---" },
      },
      "R.md\nuse tabs",
    ],
    [
      "a mentioned file",
      {
        type: "file",
        filename: "b.ts",
        content: { type: "text", file: { filePath: "b.ts", content: "let b" } },
      },
      "b.ts\nlet b",
    ],
    ["new tools", { type: "deferred_tools_delta", addedNames: ["Cron"], removedNames: [] }, "Cron"],
    [
      "open tasks",
      { type: "task_reminder", content: [{ id: "1", subject: "test it", status: "open" }] },
      "test it",
    ],
    [
      "a block by a hook",
      { type: "hook_blocking_error", blockingError: { blockingError: "no", command: "x" } },
      "no",
    ],
    ["a type of tomorrow", { type: "hologram", content: "look" }, "look"],
  ])("is a message with synthetic text: %s", (_, fields, words) => {
    const line = attachment(fields);
    expect(claudeCode.readEntry(line)).toMatchObject({ kind: "message", injected: true });
    expect(readMessage(claudeCode.unwrap(line), "strict")).toMatchObject({
      role: "user",
      parts: [{ type: "text", text: words, synthetic: true }],
    });
  });

  it("is the person's own words when they were queued", () => {
    const typed = attachment({ type: "queued_command", prompt: "also the docs", commandMode: "prompt" });
    expect(readMessage(claudeCode.unwrap(typed), "strict").parts).toEqual([
      { type: "text", text: "also the docs" },
    ]);
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } };
    const withImage = attachment({ type: "queued_command", prompt: [{ type: "text", text: "this" }, image] });
    expect(wordsOf(withImage)).toBe("this|(file)");
    const notice = attachment({
      type: "queued_command",
      prompt: "task done",
      commandMode: "task-notification",
    });
    expect(readMessage(claudeCode.unwrap(notice), "strict").parts).toMatchObject([{ synthetic: true }]);
  });

  it.each([
    ["permissions", { type: "command_permissions", allowedTools: ["Bash"] }],
    ["a note for the person", { type: "hook_system_message", content: "linked" }],
    ["output of another hook", { type: "hook_success", hookEvent: "PostToolUse", content: "formatted" }],
    ["a hook that said nothing", { type: "hook_success", hookEvent: "SessionStart", content: "" }],
    ["a reminder without words", { type: "task_reminder", content: [], itemCount: 0 }],
    ["nothing", null],
  ])("is an event when the model never saw it or the line has no words: %s", (_, fields) => {
    const line = { ...LINE, type: "attachment", attachment: fields };
    expect(claudeCode.readEntry(line).kind).toBe("event");
  });

  it("survives any depth", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 50_000; level++) deep = { content: deep };
    expect(claudeCode.readEntry(attachment({ type: "file", content: deep })).kind).toBe("event");
  });
});

describe("the session of a Claude Code file", () => {
  it("is the file's name when that is a UUID, also when the lines are from elsewhere", () => {
    const forked = "aaaaaaaa-1111-4222-8333-944455556666";
    expect(claudeCode.session([PROMPT], `/p/${forked}.jsonl`).sessionId).toBe(forked);
    expect(claudeCode.session([PROMPT], `C:\\p\\${forked}.jsonl`).sessionId).toBe(forked);
  });

  it("is what the lines say otherwise", () => {
    expect(claudeCode.session([{ type: "summary" }, PROMPT], "/p/copy.jsonl").sessionId).toBe(SESSION);
    expect(claudeCode.session([], "/p/copy.jsonl").sessionId).toBe("copy");
  });

  it("has the newest title that was given, and never that of another session", () => {
    const summary = { type: "summary", summary: "Other work", leafUuid: "elsewhere" };
    const titles = ["First", "Second"].map((customTitle) => ({ type: "custom-title", customTitle }));
    expect(claudeCode.session([summary, ...titles], "a.jsonl").title).toBe("Second");
    const made = { type: "ai-title", aiTitle: "Made" };
    expect(claudeCode.session([made, ...titles], "a.jsonl")).toMatchObject({ title: "Second" });
    expect(claudeCode.session([made], "a.jsonl")).toMatchObject({ title: "Made", titleIsAutomatic: true });
    expect(claudeCode.session([summary], "a.jsonl").title).toBeNull();
  });
});

describe("a sub-agent's file", () => {
  const line = { ...PROMPT, isSidechain: true, agentId: "a12f" };

  it("is told from a main file with sidechains in it", () => {
    expect(claudeCodeSubagent.recognises([line, { ...CALL, isSidechain: true, agentId: "a12f" }])).toBe(true);
    expect(claudeCodeSubagent.recognises([PROMPT, line])).toBe(false);
    expect(claudeCodeSubagent.recognises([{ type: "summary", leafUuid: "x" }])).toBe(false);
  });

  it("is a conversation of its own", () => {
    expect(claudeCodeSubagent.readEntry(line).sidechain).toBe(false);
    expect(claudeCode.readEntry(line).sidechain).toBe(true);
  });

  it("is named after the session that started it", () => {
    const session = (path: string) => claudeCodeSubagent.session([line], path).sessionId;
    expect(session(`/p/${SESSION}/subagents/agent-a12f.jsonl`)).toBe(`${SESSION}:a12f`);
    expect(session("/p/agent-a12f.jsonl")).toBe(`${SESSION}:a12f`);
    expect(session("/p/copy.jsonl")).toBe(`${SESSION}:a12f`);
  });
});
