import { describe, expect, it } from "vitest";
import { readMessage } from "../read-parts.ts";
import { copilotCli } from "./copilot-cli.ts";

const AT = "2026-03-01T10:00:00.000Z";

function event(type: string, data: unknown): object {
  return { type, data, id: "e2", parentId: "e1", timestamp: AT };
}

function partsOf(line: object): unknown {
  return readMessage(copilotCli.unwrap(line), "strict");
}

const ANSWER = event("assistant.message", {
  messageId: "m1",
  content: "I look.",
  reasoningText: "where?",
  toolRequests: [{ toolCallId: "t1", name: "bash", arguments: { command: "ls" }, type: "function" }],
});

describe("an event of Copilot CLI", () => {
  it("is a message when the model speaks, with its reasoning and its calls", () => {
    expect(copilotCli.readEntry(ANSWER)).toMatchObject({
      kind: "message",
      entryKey: "e2",
      parentKey: "e1",
      toolCalls: ["t1"],
      createdAt: AT,
    });
    expect(partsOf(ANSWER)).toMatchObject({
      role: "assistant",
      parts: [
        { type: "reasoning", text: "where?" },
        { type: "text", text: "I look." },
        { type: "tool", callId: "t1", name: "bash", input: '{"command":"ls"}' },
      ],
    });
  });

  it("is a message when a tool answers, also with an error", () => {
    const done = event("tool.execution_complete", {
      toolCallId: "t1",
      success: true,
      result: { content: "src" },
    });
    const failed = event("tool.execution_complete", {
      toolCallId: "t1",
      success: false,
      error: { message: "denied" },
    });
    expect(copilotCli.readEntry(done)).toMatchObject({ kind: "message", toolResults: ["t1"], toolCalls: [] });
    expect(partsOf(done)).toMatchObject({ role: "tool", parts: [{ status: "completed", output: "src" }] });
    expect(partsOf(failed)).toMatchObject({ role: "tool", parts: [{ status: "error", output: "denied" }] });
  });

  it("has the text that the model was given", () => {
    const said = event("user.message", { content: "hi", transformedContent: "<now/> hi" });
    expect(partsOf(said)).toMatchObject({ role: "user", parts: [{ text: "<now/> hi" }] });
    expect(partsOf(event("user.message", { content: "hi" }))).toMatchObject({ parts: [{ text: "hi" }] });
    expect(partsOf(event("system.message", { role: "system", content: "You are" }))).toMatchObject({
      role: "system",
    });
  });

  it("is injected when it is a notification", () => {
    const notice = event("system.notification", { content: "shell 3 ended" });
    expect(copilotCli.readEntry(notice)).toMatchObject({ kind: "message", injected: true });
    expect(partsOf(notice)).toMatchObject({ parts: [{ text: "shell 3 ended", synthetic: true }] });
  });

  it("belongs to a sub-agent when a tool call started it", () => {
    const inner = event("assistant.message", { content: "inner", parentToolCallId: "t1" });
    expect(copilotCli.readEntry(inner).sidechain).toBe(true);
    expect(copilotCli.readEntry(ANSWER).sidechain).toBe(false);
  });

  it.each([
    ["hook.start", { hookType: "sessionStart" }],
    ["tool.execution_start", { toolCallId: "t1", toolName: "bash", arguments: {} }],
    ["assistant.turn_end", { turnId: "0" }],
    ["user.message", { content: "" }],
    ["tool.execution_complete", null],
  ])("is an event otherwise: %s", (type, data) => {
    expect(copilotCli.readEntry(event(type, data))).toMatchObject({ kind: "event", toolResults: [] });
  });

  it("belongs to the session that was started, then to its folder", () => {
    const start = event("session.start", { sessionId: "s1" });
    expect(copilotCli.session([start], "/x/s2/events.jsonl").sessionId).toBe("s1");
    expect(copilotCli.session([], "/x/s2/events.jsonl").sessionId).toBe("s2");
    expect(copilotCli.session([], "/x/copy.jsonl").sessionId).toBe("copy");
  });
});
