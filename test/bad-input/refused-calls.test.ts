import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type ErrorCode, isPalimpsestError, open } from "../../src/index.ts";
import { writeArchive } from "../../src/store/archive.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { archiveOf } from "./archive-of.ts";

const GOOD = { role: "user", content: "hello" };

/** Messages that no provider could have sent, and what the answer must say. */
const BAD_MESSAGES: readonly [name: string, message: unknown, reason: RegExp][] = [
  ["a wrong role", { role: "wizard", content: "hello" }, /role/],
  ["no role", { content: "hello" }, /role/],
  ["a role that is no text", { role: 7, content: "hello" }, /role/],
  ["text instead of a message", "hello", /plain object/],
  ["nothing instead of a message", null, /plain object/],
  ["a list instead of a message", [GOOD], /plain object/],
  ["no content", { role: "user" }, /content/],
  ["a number as content", { role: "user", content: 42 }, /content/],
  ["a block that is no object", { role: "user", content: ["hello"] }, /content\[0\]/],
  ["a text block without text", { role: "user", content: [{ type: "text" }] }, /content\[0\]/],
  ["a block without a type", { role: "user", content: [{ text: "hello" }] }, /content\[0\]/],
  ["a tool call without a name", { role: "assistant", content: [{ type: "tool_use", id: "a" }] }, /name/],
  [
    "a tool call without an id",
    { role: "assistant", content: [{ type: "tool_use", name: "x", input: {} }] },
    /id/,
  ],
  ["a block of the wrong shape", { role: "user", parts: [{ type: "text", text: 7 }] }, /text/],
  [
    "a tool result without an id",
    { role: "user", content: [{ type: "tool_result", content: "x" }] },
    /tool_use_id/,
  ],
  ["a tool result without a call", { role: "tool", content: "done" }, /tool_call_id/],
  ["parts that are no list", { role: "user", parts: "hello" }, /parts/],
  ["NaN", { role: "user", content: "hello", score: Number.NaN }, /score is NaN/],
  ["infinity", { role: "user", content: "hello", deep: { score: Infinity } }, /deep\.score is Infinity/],
  ["a Date", { role: "user", content: "hello", at: new Date(0) }, /at is a Date/],
  ["a function", { role: "user", content: "hello", run: () => 1 }, /run is a function/],
  ["a symbol", { role: "user", content: "hello", mark: Symbol("x") }, /mark is a symbol/],
  ["a bigint", { role: "user", content: "hello", size: 1n }, /size is a bigint/],
  ["a Map", { role: "user", content: "hello", map: new Map() }, /map is a Map/],
  ["a hole in a list", { role: "user", content: "hello", list: [undefined] }, /list\[0\] is undefined/],
  ["an instance of a class", { role: "user", content: "hello", error: new Error("x") }, /instance of Error/],
  ["numbers that are no bytes", { role: "user", content: "hello", data: new Float32Array(1) }, /typed array/],
  ["a cycle", cyclic(), /circular reference/],
];

describe.each(ENGINES)("a call that is not right, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  let before: string;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store, background: "off" });
    await engine.context.commitTurn({ conversation: "s", key: "known", messages: [GOOD, GOOD] });
    before = await archiveOf(engine.store);
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Input of any type, as callers without types give it. */
  const call = (method: string, ...input: readonly unknown[]): Promise<unknown> => {
    const [group, name] = method.split(".");
    const holder: object = name === undefined ? engine.context : Reflect.get(engine.context, group ?? "");
    return Reflect.apply(Reflect.get(holder, name ?? method), holder, input);
  };
  const commit = (input: object) =>
    call("commitTurn", { conversation: "s", key: "new", messages: [GOOD], ...input });

  async function expectRefused(refused: Promise<unknown>, code: ErrorCode, reason: RegExp): Promise<void> {
    const error = await refused.then(
      () => new Error("it was not refused"),
      (reason: unknown) => reason,
    );
    expect(error).toSatisfy((thrown) => isPalimpsestError(thrown, code));
    expect(String(error)).toMatch(reason);
    expect(await archiveOf(engine.store)).toBe(before);
  }

  it.each(BAD_MESSAGES)("is refused as a whole for %s (promise: refused)", async (_, message, reason) => {
    await expectRefused(commit({ messages: [GOOD, message] }), "invalid-input", reason);
    // The answer says which message it was.
    await expectRefused(commit({ messages: [GOOD, message] }), "invalid-input", /messages\[1\]/);
  });

  it.each([
    ["no messages", { messages: [] }, /at least one message/],
    ["messages that are no list", { messages: GOOD }, /at least one message/],
    ["an empty key", { key: "" }, /key must be text/],
    ["a key with NUL", { key: "a\0b" }, /key must be text/],
    ["a key with a lone surrogate", { key: "\ud800" }, /key must be text/],
    ["an endless key", { key: "k".repeat(10_000) }, /key must be text/],
    ["a key that is no text", { key: 7 }, /key must be text/],
    ["a conversation that is a number", { conversation: 7 }, /conversation/],
    ["no conversation", { conversation: undefined }, /conversation/],
    ["a session with NUL", { conversation: "s\0" }, /conversation/],
    ["a session without an id", { conversation: { sessionKey: "k" } }, /sessionId/],
    ["a session key with NUL", { conversation: { sessionId: "s", sessionKey: "\0" } }, /sessionKey/],
    ["a message key with NUL", { messages: [{ key: "\0", message: GOOD }] }, /messages\[0\].*key/],
    [
      "a time that is none",
      { messages: [{ createdAt: "yesterday", message: GOOD }] },
      /"yesterday" is not a time/,
    ],
    ["a time beyond all years", { messages: [{ createdAt: 8.64e15, message: GOOD }] }, /is not a time/],
    ["a time that is NaN", { messages: [{ createdAt: Number.NaN, message: GOOD }] }, /is not a time/],
  ])("is refused for %s", async (_, input, reason) => {
    await expectRefused(commit(input), "invalid-input", reason);
  });

  it.each([
    ["with other words", { messages: [GOOD, { ...GOOD, content: "other" }] }],
    ["with fewer messages", { messages: [GOOD] }],
    ["with more messages", { messages: [GOOD, GOOD, GOOD] }],
    ["with another role", { messages: [GOOD, { ...GOOD, role: "assistant" }] }],
  ])("is refused when it brings a known key %s", async (_, input) => {
    await expectRefused(commit({ key: "known", ...input }), "conflict", /other content/);
  });

  it("is refused when a message of it has a known key with other content", async () => {
    const messages = [GOOD, { key: "known#1", message: { ...GOOD, content: "other" } }];
    await expectRefused(commit({ messages }), "conflict", /known#1/);
  });

  it.each([
    ["reading from nowhere", "read", { conversation: "s", from: 0 }, "invalid-input", /from/],
    ["reading half a message", "read", { conversation: "s", to: 1.5 }, "invalid-input", /to must be/],
    ["reading nothing", "read", { conversation: "s", limit: -1 }, "invalid-input", /limit/],
    ["reading what is not there", "read", { conversation: "nobody" }, "not-found", /nobody/],
    ["reading a message by a wrong id", "describe", { id: "msg_1" }, "invalid-input", /msg_1/],
    [
      "erasing backwards",
      "erase",
      { conversation: "s", from: 2, to: 1 },
      "invalid-input",
      /`from` \(2\) is greater than `to` \(1\)/,
    ],
    [
      "erasing before the start",
      "erase",
      { conversation: "s", from: 0 },
      "invalid-input",
      /from must be at least 1/,
    ],
    ["erasing what is not there", "erase", { conversation: "s", from: 9 }, "not-found", /9/],
    [
      "resetting what is not there",
      "conversations.reset",
      { conversation: "nobody", mode: "new" },
      "not-found",
      /nobody/,
    ],
    ["reading what no role says", "read", { conversation: "s", roles: ["x"] }, "invalid-input", /roles\[0\]/],
    ["reading by one role", "read", { conversation: "s", roles: "user" }, "invalid-input", /roles must be/],
    [
      "resetting otherwise",
      "conversations.reset",
      { conversation: "s", mode: "old" },
      "invalid-input",
      /mode must be one of new, reset/,
    ],
    ["deleting what is not there", "conversations.delete", "nobody", "not-found", /nobody/],
    [
      "archiving what is not there",
      "conversations.archive",
      "conv_0123456789abcdef",
      "not-found",
      /conv_0123/,
    ],
  ] as const)("is refused when it means %s", async (_, method, input, code, reason) => {
    await expectRefused(call(method, input), code, reason);
  });

  it.each([
    ["commitTurn", { conversation: "s", key: "new", messages: [GOOD], heartBeat: true }, "heartbeat"],
    ["evaluate", { conversation: "s", budgetTokens: 5 }, "budget"],
    ["compact", { conversation: "s", dryrun: true }, "dryRun"],
    ["assemble", { conversation: "s", formats: "anthropic" }, "format"],
    ["conversations.at", { conversation: "s", turns: "known" }, "turn"],
    ["conversations.diff", { conversation: "s", from: 1, to: 2, froms: 1 }, "from"],
    ["expand", { summary: "sum_0123456789abcdef", level: 1 }, "levels"],
    ["read", { conversation: "s", role: ["user"] }, "roles"],
    ["conversations.list", { archive: true }, "archived"],
    ["erase", { conversation: "s", form: 2 }, undefined],
    ["conversations.reset", { conversation: "s", mode: "new", depth: 1 }, "retainDepth"],
    ["conversations.archive", { sessionId: "s", session_key: "k" }, "sessionKey"],
  ] as const)("is refused for an option that %s does not have: %o", async (method, input, meant) => {
    const name = method === "conversations.archive" ? "conversation" : method;
    const refused = call(method, input);
    await expectRefused(refused, "invalid-input", new RegExp(`${name} has no option`));
    const advice = meant === undefined ? /^Options: / : new RegExp(`^Did you mean ${meant}\\? Options: `);
    await expect(refused).rejects.toMatchObject({ advice: expect.stringMatching(advice) });
  });

  it.each([() => {}, { info: () => {} }, "debug", null])(
    "is refused for a log that cannot be written to (%#)",
    async (log) => {
      await expectRefused(
        open({ store: folder, log: log as never }),
        "invalid-input",
        /log must be an object/,
      );
    },
  );

  it("takes an option that is undefined for one that was left out", async () => {
    await expect(call("read", { conversation: "s", rolls: undefined })).resolves.toBeDefined();
  });

  it.each(["", "\0", "x".repeat(10_000), 7])("is refused for a title that is none (%#)", async (title) => {
    await expectRefused(call("conversations.rename", "s", title), "invalid-input", /title/);
  });

  it("is refused for a file that is no transcript, by what it is", async () => {
    const write = (name: string, content: string) => {
      writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    };
    mkdirSync(path.join(folder, "folder"));
    await writeArchive(engine.store, path.join(folder, "export.jsonl"));
    const refuse = (file: string, code: ErrorCode, reason: RegExp) =>
      expectRefused(call("conversations.import", file), code, reason);
    await refuse(path.join(folder, "missing.jsonl"), "not-found", /missing\.jsonl/);
    await refuse(path.join(folder, "folder"), "invalid-input", /not a file/);
    await refuse(path.join(folder, "export.jsonl"), "not-supported", /export of a whole store/);
    await refuse(write("empty.jsonl", ""), "not-supported", /empty/);
    await refuse(write("blank.jsonl", "\n\r\n \n"), "not-supported", /empty/);
    await refuse(write("binary.jsonl", "\0\x01\x02\0".repeat(100)), "not-supported", /binary/);
    await refuse(
      write("prose.txt", "Dear diary,\nnothing happened.\n"),
      "not-supported",
      /contains no JSON$/,
    );
    await refuse(write("other.json", '{"some":"thing"}\n'), "not-supported", /unknown transcript format/);
  });
});

describe.each(ENGINES)("a call that is refused among others, on %s", (name) => {
  it("leaves nothing of itself, and the others happen", async () => {
    const place = await temporaryPlace(name);
    const engine = await open({ store: place.store, background: "off" });
    const commit = (key: string, ...messages: object[]) =>
      engine.context.commitTurn({ conversation: "s", key, messages });
    await commit("first", { key: "known", message: GOOD });
    const other = { key: "known", message: { ...GOOD, content: "other" } };
    // They reach the store together and may share a transaction there.
    const calls = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? commit(`good ${index}`, GOOD) : commit(`bad ${index}`, GOOD, other),
    );
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(
      results.map((_, index) => (index % 2 === 0 ? "fulfilled" : "rejected")),
    );
    const { messages } = await engine.context.read({ conversation: "s" });
    expect(messages.map(({ key }) => key).sort()).toEqual(
      ["known", ...Array.from({ length: 10 }, (_, index) => `good ${index * 2}#0`)].sort(),
    );
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    await engine.close();
    await place.dispose();
  });
});

function cyclic(): object {
  const message: { role: string; content: string; self?: object } = { role: "user", content: "hello" };
  message.self = message;
  return message;
}
