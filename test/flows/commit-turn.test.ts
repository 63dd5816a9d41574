import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireMessage } from "../../src/context/read/read-messages.ts";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, estimateTokens, isPalimpsestError, open } from "../../src/index.ts";
import { countCalls } from "../../src/store/testing/counting-store.ts";
import { SAMPLE_RECEIPT } from "../sample-receipt.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("committing turns on %s", (name) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, clock: steadyClock(), config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const turn = [
    { role: "user", content: "What is in notes.txt?" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "notes.txt" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "buy milk 🥛" }] },
    { role: "assistant", content: [{ type: "text", text: "A shopping list." }] },
  ];

  it("keeps the receipt of a turn, and refuses what is none", async () => {
    const input = { conversation: "seen", key: "t1", messages: [{ role: "user", content: "hello" }] };
    const refused = engine.context.commitTurn({ ...input, receipt: "saw nothing" as never });
    await expect(refused).rejects.toSatisfy((error) => isPalimpsestError(error, "invalid-input"));
    await engine.context.commitTurn({ ...input, receipt: SAMPLE_RECEIPT });
    const { id } = await engine.context.conversations.get("seen");
    const { rows } = await engine.store.scoped({ tenant: "default", agent: "default" }).receipts(id, {});
    expect(rows).toMatchObject([{ firstSeq: 1, content: JSON.stringify(SAMPLE_RECEIPT) }]);
  });

  it("gives every message back as it was, with what is in it", async () => {
    const committed = await engine.context.commitTurn({ conversation: "s1", key: "t1", messages: turn });
    if (committed.status === "skipped") throw new Error("skipped");
    const { messages, next } = await engine.context.read({ conversation: "s1" });
    expect(next).toBeNull();
    expect(messages.map((message) => message.value)).toEqual(turn);
    expect(messages.map((message) => message.original)).toEqual(
      turn.map((message) => JSON.stringify(message)),
    );
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages[1]?.parts[1]).toMatchObject({
      type: "tool",
      name: "read_file",
      input: '{"path":"notes.txt"}',
    });
    expect(await requireMessage(internalsOf(engine).conversations, committed.messages[2]?.id ?? "")).toEqual(
      messages[2],
    );
  });

  it("creates a conversation again that another engine has deleted, with a title and in order", async () => {
    const say = (key: string) =>
      engine.context.commitTurn({
        conversation: "gone",
        key,
        messages: [{ role: "user", content: `Say ${key}.` }],
      });
    await say("one");
    const before = await engine.context.conversations.get("gone");
    const other = await open({ store: place.store, config: { logLevel: "silent" } });
    await other.context.conversations.delete("gone");
    await other.close();
    await Promise.all([say("two"), say("three")]);
    const after = await engine.context.conversations.get("gone");
    expect(after.id).not.toBe(before.id);
    expect(after).toMatchObject({ title: "Say two.", messageCount: 2 });
    const { messages } = await engine.context.read({ conversation: "gone" });
    expect(messages.map(({ value }) => value)).toMatchObject([
      { content: "Say two." },
      { content: "Say three." },
    ]);
  });

  it("answers a replay without a change, from another engine too", async () => {
    const before = await engine.context.read({ conversation: "s1" });
    const other = await open({ store: place.store, config: { logLevel: "silent" } });
    const again = await other.context.commitTurn({ conversation: "s1", key: "t1", messages: turn });
    await other.close();
    expect(again).toMatchObject({ status: "duplicate" });
    expect(await engine.context.read({ conversation: "s1" })).toEqual(before);
  });

  it("takes a host's message ids as keys and keeps a second identical text", async () => {
    const say = (id: string) => ({ id, role: "user", content: "ok" });
    await engine.context.commitTurn({ conversation: "s2", key: "a", messages: [say("m1")] });
    await engine.context.commitTurn({ conversation: "s2", key: "b", messages: [say("m1"), say("m2")] });
    const { messages } = await engine.context.read({ conversation: "s2" });
    expect(messages.map((message) => message.key)).toEqual(["m1", "m2"]);
    const wrapped = [
      { message: { role: "user", content: "ok" }, key: "m3", createdAt: "2020-01-02T03:04:05Z" },
    ];
    await engine.context.commitTurn({ conversation: "s2", key: "c", messages: wrapped });
    const last = (await engine.context.read({ conversation: "s2", from: 3 })).messages[0];
    expect(last).toMatchObject({ key: "m3", createdAt: "2020-01-02T03:04:05.000Z" });
    expect(last?.value).toEqual({ role: "user", content: "ok" });
  });

  it("refuses the same key with other content and keeps what was there (promise: immutable)", async () => {
    const before = await engine.context.read({ conversation: "s1" });
    const other = engine.context.commitTurn({
      conversation: "s1",
      key: "t1",
      messages: [{ role: "user", content: "?" }],
    });
    await expect(other).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
    expect(await engine.context.read({ conversation: "s1" })).toEqual(before);
  });

  it("keeps binary values of messages", async () => {
    const image = { type: "image", image: Uint8Array.of(0, 255, 137, 80), mediaType: "image/png" };
    const message = { role: "user", content: [{ type: "text", text: "see" }, image] };
    await engine.context.commitTurn({ conversation: "s3", key: "t", messages: [message] });
    expect((await engine.context.read({ conversation: "s3" })).messages[0]?.value).toEqual(message);
  });

  it("names a conversation after its first words until somebody renames it", async () => {
    expect((await engine.context.conversations.get("s1")).title).toBe("What is in notes.txt?");
    await engine.context.conversations.rename("s1", "Shopping");
    expect(await engine.context.conversations.get("s1")).toMatchObject({
      title: "Shopping",
      titleIsAutomatic: false,
    });
  });

  it("needs one call to the store for a turn", async () => {
    const { store, counts } = countCalls(engine.store);
    const counted = await open({ store, config: { logLevel: "silent" } });
    await counted.context.commitTurn({ conversation: "s4", key: "t", messages: turn });
    expect(Object.fromEntries(counts)).toEqual({ commit: 1 });
  });

  it("counts tokens with the tokenizer it is given", async () => {
    const counting = await open({
      store: engine.store,
      countTokens: () => 1000,
      config: { logLevel: "silent" },
    });
    await counting.context.commitTurn({
      conversation: "s5",
      key: "t",
      messages: [{ role: "user", content: "hi" }],
    });
    expect((await engine.context.read({ conversation: "s5" })).messages[0]?.tokenCount).toBe(1000);
    await engine.context.commitTurn({
      conversation: "s6",
      key: "t",
      messages: [{ role: "user", content: "日本語 text" }],
    });
    expect((await engine.context.read({ conversation: "s6" })).messages[0]?.tokenCount).toBe(
      estimateTokens("日本語 text"),
    );
  });

  it("keeps tenants and agents apart", async () => {
    const theirs = engine.contextOf({ tenant: "acme", agent: "bot" });
    await theirs.commitTurn({
      conversation: "s1",
      key: "t1",
      messages: [{ role: "user", content: "theirs" }],
    });
    expect((await engine.context.read({ conversation: "s1" })).messages.length).toBe(turn.length);
    const { id } = await theirs.conversations.get("s1");
    await expect(engine.context.read({ conversation: id })).rejects.toSatisfy((error) =>
      isPalimpsestError(error, "not-found"),
    );
  });

  it("starts afresh without losing anything (promise: readable)", async () => {
    await engine.context.commitTurn({ conversation: "s7", key: "t1", messages: turn });
    expect(await engine.context.conversations.reset({ conversation: "s7", mode: "new" })).toMatchObject({
      leftContext: 4,
    });
    const { messages } = await engine.context.read({ conversation: "s7" });
    expect(messages.map((message) => message.excluded)).toEqual(["reset", "reset", "reset", "reset"]);
    const { conversation } = await engine.context.conversations.reset({ conversation: "s7", mode: "reset" });
    await engine.context.commitTurn({ conversation: "s7", key: "t1", messages: [turn[0] ?? {}] });
    const fresh = await engine.context.conversations.get("s7");
    expect(fresh.id).not.toBe(conversation);
    expect((await engine.context.read({ conversation })).messages.length).toBe(4);
  });
});
