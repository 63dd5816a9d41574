import { describe, expect, it } from "vitest";
import { createBranchTracker } from "../../context/ingest/transcripts/track-branches.ts";
import { readMessage } from "../read-parts.ts";
import { pi } from "./pi.ts";

const AT = "2026-03-01T10:00:00.000Z";
const ID = "ffae836b-1111-4222-8333-944455556666";
const HEADER = { type: "session", version: 3, id: ID, timestamp: AT, cwd: "/p" };

function entry(id: string, parentId: string | null, fields: object): object {
  return { id, parentId, timestamp: AT, ...fields };
}

function message(id: string, parentId: string | null, content: object): object {
  return entry(id, parentId, { type: "message", message: content });
}

const SAID = { role: "user", content: [{ type: "text", text: "go on" }] };
const CALL = {
  role: "assistant",
  content: [{ type: "toolCall", id: "t1", name: "read", arguments: { path: "a" } }],
};
const RESULT = {
  role: "toolResult",
  toolCallId: "t1",
  toolName: "read",
  content: [{ type: "text", text: "let a" }],
};

describe("an entry of pi", () => {
  it("is a message with its place in the tree", () => {
    expect(pi.readEntry(message("e2", "e1", CALL))).toMatchObject({
      kind: "message",
      entryKey: "e2",
      parentKey: "e1",
      response: null,
      toolCalls: ["t1"],
      createdAt: AT,
    });
    expect(pi.readEntry(message("e3", "e2", RESULT)).toolResults).toEqual(["t1"]);
    expect(pi.unwrap(message("e3", "e2", RESULT))).toBe(RESULT);
  });

  it("has no place in a tree before version 2", () => {
    const old = { type: "message", timestamp: AT, message: SAID };
    expect(pi.readEntry(old)).toMatchObject({ kind: "message", entryKey: null, parentKey: null });
    const tracker = createBranchTracker();
    const placements = [0, 1, 2].map((index) =>
      tracker.add({ ...pi.readEntry(old), index, isMessage: true }),
    );
    expect(placements.every(({ onPath, left }) => onPath && left.length === 0)).toBe(true);
  });

  it.each([
    ["an extension's message", { type: "custom_message", customType: "x", content: "note" }, "note"],
    [
      "the summary of a branch",
      { type: "branch_summary", fromId: "e9", summary: "tried tabs" },
      "tried tabs",
    ],
  ])("is a message when it is %s", (_, fields, text) => {
    const line = entry("e4", "e1", fields);
    expect(pi.readEntry(line).kind).toBe("message");
    expect(readMessage(pi.unwrap(line), "strict")).toMatchObject({
      role: "user",
      parts: [{ type: "text", text }],
    });
  });

  it.each([
    ["a compaction", { type: "compaction", summary: "s", firstKeptEntryId: "e1" }],
    ["an edit of the context", { type: "context_edit", targetId: "e1", replacement: null }],
    ["an extension's state", { type: "custom", customType: "x", data: {} }],
    ["another model", { type: "model_change", provider: "p", modelId: "m" }],
    ["a name", { type: "session_info", name: "Parser" }],
    [
      "a command kept from the model",
      { type: "message", message: { role: "bashExecution", excludeFromContext: true } },
    ],
    ["a message without content", { type: "message" }],
  ])("is an event when it is %s", (_, fields) => {
    expect(pi.readEntry(entry("e4", "e1", fields))).toMatchObject({
      kind: "event",
      entryKey: "e4",
      parentKey: "e1",
    });
  });

  it("is not the header, whose id is the session's", () => {
    expect(pi.readEntry(HEADER)).toMatchObject({ kind: "event", entryKey: null, createdAt: AT });
  });
});

describe("the session of a pi file", () => {
  it("is that of the header, then of the file's name", () => {
    expect(pi.session([HEADER], "x.jsonl").sessionId).toBe(ID);
    expect(pi.session([], `/s/2026-03-01T10-00-00-000Z_${ID}.jsonl`).sessionId).toBe(ID);
    expect(pi.session([], "/s/topic.jsonl").sessionId).toBe("topic");
  });

  it("has the newest name it was given", () => {
    const names = ["First", "Second"].map((name) => entry("e", null, { type: "session_info", name }));
    expect(pi.session([HEADER, ...names], "x.jsonl").title).toBe("Second");
  });

  it("is recognised without its header", () => {
    expect(pi.recognises([message("e1", null, SAID)])).toBe(true);
    expect(pi.recognises([{ type: "message", role: "user", content: "an item of another API" }])).toBe(false);
  });
});
