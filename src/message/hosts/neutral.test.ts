import { describe, expect, it } from "vitest";
import { neutral } from "./neutral.ts";

const HEADER = { type: "palimpsest", version: 1, session: "s1", title: "Parser" };
const AT = "2026-03-01T10:00:00.000Z";

describe("a line of our own JSONL", () => {
  it.each([
    ["text", { role: "user", content: "hi" }],
    ["blocks", { role: "assistant", content: [{ type: "tool_use", id: "t", name: "read", input: {} }] }],
    ["parts", { role: "assistant", parts: [{ type: "text", text: "hi" }] }],
    ["calls beside the content", { role: "assistant", tool_calls: [] }],
    ["an item without a role", { type: "function_call", call_id: "c", name: "read", arguments: "{}" }],
  ])("is a message of any family: %s", (_, line) => {
    expect(neutral.readEntry(line).kind).toBe("message");
    expect(neutral.unwrap(line)).toBe(line);
  });

  it("carries its id and its time", () => {
    const entry = neutral.readEntry({ role: "user", content: "hi", id: "m1", createdAt: AT });
    expect(entry).toMatchObject({ entryKey: "m1", parentKey: null, createdAt: AT });
    expect(neutral.readEntry({ role: "user", content: "hi" })).toMatchObject({
      entryKey: null,
      createdAt: null,
    });
  });

  it.each([
    ["the header", HEADER],
    ["an object of another kind", { note: "x" }],
    ["no object", 3],
  ])("is an event when it is %s", (_, line) => {
    expect(neutral.readEntry(line).kind).toBe("event");
  });

  it.each(["robot", "", null, 7])("cannot be read when its role is %j", (role) => {
    expect(neutral.readEntry({ role, content: "hi" })).toMatchObject({
      kind: "unreadable",
      problem: "its role is not one of system, user, assistant, tool",
    });
  });

  it("belongs to the session in the header, or to the file", () => {
    expect(neutral.session([HEADER], "x.jsonl")).toEqual({ sessionId: "s1", title: "Parser" });
    expect(neutral.session([], "/x/chat.ndjson")).toEqual({ sessionId: "chat", title: null });
  });
});
