import { describe, expect, it } from "vitest";
import { readMessage } from "../read-parts.ts";
import { codex } from "./codex.ts";
import { codexLegacy } from "./formats.ts";

const AT = "2026-03-01T10:00:00.000Z";
const ID = "019eecb9-1111-7222-8333-944455556666";
const META = { timestamp: AT, type: "session_meta", payload: { id: ID, cwd: "/p" } };
const CALL = { type: "function_call", name: "exec", arguments: '{"cmd":"ls"}', call_id: "call_1" };
const OUTPUT = { type: "function_call_output", call_id: "call_1", output: "src" };
const SAID = { type: "message", role: "user", content: [{ type: "input_text", text: "list" }] };

function item(payload: object): object {
  return { timestamp: AT, type: "response_item", payload };
}

describe("a line of a Codex rollout", () => {
  it("is a message when it is an item that went to or came from the model", () => {
    expect(codex.readEntry(item(SAID))).toMatchObject({ kind: "message", createdAt: AT, entryKey: null });
    expect(codex.readEntry(item(CALL))).toMatchObject({
      kind: "message",
      toolCalls: ["call_1"],
      toolResults: [],
    });
    expect(codex.readEntry(item(OUTPUT))).toMatchObject({
      kind: "message",
      toolCalls: [],
      toolResults: ["call_1"],
    });
    expect(readMessage(codex.unwrap(item(OUTPUT)), "strict").parts).toMatchObject([
      { type: "tool", output: "src" },
    ]);
  });

  it.each([
    ["the session's record", META],
    [
      "a repetition for the interface",
      { timestamp: AT, type: "event_msg", payload: { type: "user_message" } },
    ],
    [
      "a compaction",
      { timestamp: AT, type: "compacted", payload: { message: "", replacement_history: [SAID] } },
    ],
    ["a snapshot for undo", item({ type: "ghost_snapshot", ghost_commit: {} })],
    ["an envelope without content", { timestamp: AT, type: "response_item" }],
  ])("is an event when it is %s", (_, line) => {
    expect(codex.readEntry(line)).toMatchObject({ kind: "event", createdAt: AT });
  });

  it("belongs to the session of the first record, then of the file's name", () => {
    const origin = { ...META, payload: { id: "origin" } };
    expect(codex.session([META, origin], "x.jsonl").sessionId).toBe(ID);
    expect(codex.session([], `/s/rollout-2026-03-01T10-00-00-${ID}.jsonl`).sessionId).toBe(ID);
    expect(codex.session([], "/s/copy.jsonl").sessionId).toBe("copy");
  });

  it("knows where a fork and a sub-agent come from, also one with a copy of its parent's messages", () => {
    const parentOf = (more: object) =>
      codex.session([{ ...META, payload: { ...META.payload, ...more } }], "x.jsonl").parent;
    expect(parentOf({})).toBe(null);
    expect(parentOf({ forked_from_id: "a" })).toEqual({ sessionId: "a", relation: "fork" });
    const child = { sessionId: "b", relation: "child" };
    expect(parentOf({ parent_thread_id: "b" })).toEqual(child);
    expect(parentOf({ parent_thread_id: "b", forked_from_id: "b" })).toEqual(child);
  });
});

describe("a line of a rollout before the envelope", () => {
  const HEADER = { id: ID, timestamp: AT, instructions: null, git: {} };

  it("is a bare item, a state or the header", () => {
    expect(codexLegacy.readEntry(CALL)).toMatchObject({
      kind: "message",
      toolCalls: ["call_1"],
      createdAt: null,
    });
    expect(codexLegacy.readEntry({ record_type: "state" }).kind).toBe("event");
    expect(codexLegacy.readEntry(HEADER)).toMatchObject({ kind: "event", createdAt: AT });
    expect(codexLegacy.unwrap(SAID)).toBe(SAID);
  });

  it("is recognised by header or state, one of which may be broken", () => {
    expect(codexLegacy.recognises([HEADER, SAID])).toBe(true);
    expect(codexLegacy.recognises([{ record_type: "state" }, SAID])).toBe(true);
    expect(codexLegacy.recognises([SAID, CALL, OUTPUT])).toBe(false);
  });

  it("has the time of its header, which is the only one", () => {
    expect(codexLegacy.session([SAID, HEADER], "x.jsonl").startedAt).toBe(AT);
    expect(codexLegacy.session([SAID], "x.jsonl").startedAt).toBe(null);
  });

  it("belongs to the session of its header, then of the file's name", () => {
    expect(codexLegacy.session([SAID, HEADER], "x.jsonl").sessionId).toBe(ID);
    expect(codexLegacy.session([SAID], `/s/rollout-2025-08-06T18-02-11-${ID}.jsonl`).sessionId).toBe(ID);
  });
});
