/** Results that are data, from the setting to the exact bytes: short in an old context, whole wherever they are asked for. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type HostMessage, open } from "../../src/index.ts";
import { MODEL_TOOLS } from "../../src/operations/index.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { growOld } from "./grow-old.ts";

const STUB =
  /^\[LCM Tool Output: (file_[0-9a-f]{16}) \| tool=query \| ([\d,]+) bytes\]\nTool: query \| path=a\.db\n/;
const BUDGET = 12_000;
/** Short fields that are 58 kB together. */
const VALUE = {
  rows: Array.from({ length: 1_000 }, (_, id) => ({ id, city: `漢 ${id} "😀"`, half: "\ud83d", ok: null })),
};
const TEXT = JSON.stringify(VALUE);
const FORMATS = ["original", "anthropic", "openai-chat", "openai-responses"] as const;

const call = (toolCallId: string): HostMessage => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "query", input: { path: "a.db" } }],
});
const result = (toolCallId: string, output: unknown): HostMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "query", output }],
});
const json = (value: unknown, type = "json") => ({ type, value });

describe.each(ENGINES)("results that are data on %s", (kind) => {
  let place: Place;
  let engine: Engine;

  beforeAll(async () => {
    place = await temporaryPlace(kind);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });

  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  /** A result, and so much behind it that it is old. */
  const say = (conversation: string, output: unknown, use = engine) =>
    sayAll(conversation, [call("t0"), result("t0", output)], use);

  async function sayAll(
    conversation: string,
    given: readonly HostMessage[],
    use = engine,
  ): Promise<readonly HostMessage[]> {
    await use.context.commitTurn({ conversation, key: "first", messages: given });
    await growOld(use, conversation);
    return given;
  }

  const fileOf = async (conversation: string, use = engine) => {
    const { files } = await use.context.files.list({ conversation });
    expect(files).toHaveLength(1);
    return files[0]?.id ?? "";
  };

  const wholeOf = async (id: string, use = engine): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of use.context.files.content(id)) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  };

  const tool = (name: string, input: object): Promise<string> => {
    const found = MODEL_TOOLS.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no tool ${name}`);
    return found.call(engine, input, {});
  };

  const valuesOf = async (conversation: string, use = engine) =>
    (await use.context.read({ conversation, to: 2 })).messages.map(({ value }) => value);

  it.each(["json", "error-json"])(
    "are stubs in the place of their value once they are old: %s",
    async (type) => {
      const conversation = `old ${type}`;
      const given = await say(conversation, json(VALUE, type));
      const { messages, items, tokens } = await engine.context.assemble({
        ...{ conversation, budget: BUDGET, format: "original" },
      });
      expect(tokens).toBeLessThanOrEqual(BUDGET);
      expect(messages[0]).toEqual(given[0]);
      expect(messages[1]).toEqual(result("t0", json(expect.stringMatching(STUB), type)));
      expect(items.filter(({ reason }) => reason === "stub of an old tool result")).toHaveLength(1);
      const id = await fileOf(conversation);
      expect(JSON.stringify(messages[1])).toContain(id);
      expect(await wholeOf(id)).toBe(TEXT);
      expect(await valuesOf(conversation)).toEqual(given);
      const { messages: read } = await engine.context.read({ conversation, from: 2, to: 2 });
      expect(String(read[0]?.original)).toBe(JSON.stringify(given[1]));
    },
  );

  it("answer their calls in every format, and no format shows the value", async () => {
    await say("formats", json(VALUE));
    const id = await fileOf("formats");
    for (const format of FORMATS) {
      const { messages, tokens } = await engine.context.assemble({
        ...{ conversation: "formats", budget: BUDGET, format },
      });
      const text = JSON.stringify(messages);
      expect(tokens).toBeLessThanOrEqual(BUDGET);
      expect(text.split(`[LCM Tool Output: ${id} | tool=query |`)).toHaveLength(2);
      expect(text).not.toContain("漢 500");
      expect(text.match(/"t0"/g)?.length).toBe(2);
    }
    const fresh = await open({
      ...{ store: place.store, background: "off" },
      config: { logLevel: "silent", stubLargeToolPayloads: false },
    });
    const shown = await fresh.context.assemble({ conversation: "formats", budget: 60_000 });
    expect(JSON.stringify(shown.messages)).toContain("漢 500");
    await fresh.close();
  });

  it("are stubs in a message of an interface as well, which holds the call and what was said", async () => {
    const part = { type: "tool-query", toolCallId: "t0", state: "output-available", input: { path: "a.db" } };
    const said = { type: "text", text: "I have asked the database." };
    const message = { id: "m1", role: "assistant", parts: [{ ...part, output: VALUE }, said] };
    await sayAll("interface", [message]);
    const id = await fileOf("interface");
    expect(await wholeOf(id)).toBe(TEXT);
    for (const format of FORMATS) {
      const assembled = await engine.context.assemble({
        ...{ conversation: "interface", budget: BUDGET, format },
      });
      const text = JSON.stringify(assembled.messages);
      expect(text.split(`[LCM Tool Output: ${id} | tool=query |`)).toHaveLength(2);
      expect(text).toContain(said.text);
      expect(text).not.toContain("漢 500");
      if (format === "original")
        expect(assembled.messages[0]).toEqual({
          ...message,
          parts: [{ ...part, output: expect.stringMatching(STUB) }, said],
        });
    }
    const { messages: read } = await engine.context.read({ conversation: "interface", to: 1 });
    expect(String(read[0]?.original)).toBe(JSON.stringify(message));
  });

  it("are whole while they are fresh, and stay in the message up to the setting", async () => {
    const messages = [call("t1"), result("t1", json(VALUE))];
    await engine.context.commitTurn({ conversation: "fresh", key: "a", messages });
    const assembled = await engine.context.assemble({
      ...{ conversation: "fresh", budget: 100_000, format: "original" },
    });
    expect(assembled.messages).toEqual(messages);
    const limit = engine.config.toolOutputStubBytes;
    const words = Array.from({ length: 70 }, () => "w".repeat(100));
    const of = (bytes: number) => [...words, "x".repeat(bytes - JSON.stringify([...words, ""]).length)];
    for (const [bytes, files] of [
      [limit, 0],
      [limit + 1, 1],
    ] as const) {
      const conversation = `${bytes} bytes`;
      await say(conversation, json(of(bytes)));
      expect((await engine.context.files.list({ conversation })).files).toHaveLength(files);
    }
  });

  it("are given by the tools that a model calls, by bytes and by what is looked for", async () => {
    await say("tools", json(VALUE));
    const id = await fileOf("tools");
    const answer = await tool("lcm_describe", { id, expandFile: true, startByte: 0, endByte: 60 });
    expect(answer).toContain('{"rows":[{"id":0,"city":');
    const slice = await engine.context.files.read({ id, startLine: 1, endLine: 1, maxBytes: 500_000 });
    expect(slice).toMatchObject({ text: TEXT, next: null });
    expect(await tool("lcm_grep", { pattern: "漢 777", mode: "exact", scope: "files" })).toContain(id);
    const { hits } = await engine.context.grep({
      pattern: "漢 777",
      mode: "exact",
      conversations: ["tools"],
    });
    expect(hits).toHaveLength(1);
  });

  it("leave their id in the summaries of what they stood in", async () => {
    const settings = { freshTailCount: 2, leafChunkTokens: 2_000, leafTargetTokens: 300, leafMinFanout: 2 };
    const small = await open({
      ...{ store: place.store, background: "off", config: { logLevel: "silent", ...settings } },
    });
    await say("summary", json(VALUE), small);
    await small.context.compact({ conversation: "summary" });
    const { summaries } = await small.context.conversations.summaries("summary");
    expect(summaries.flatMap(({ fileIds }) => fileIds)).toContain(await fileOf("summary", small));
    await small.close();
  });

  it("move with an export, verify, and go with an erasure", async () => {
    const given = await say("moved", json(VALUE));
    const archive = path.join(temporaryFolder(), "all.jsonl.zst");
    await writeArchive(engine.store, archive, {});
    const other = await temporaryPlace(kind === "sqlite" ? "postgres" : "sqlite");
    const copy = await open({ store: other.store, background: "off", config: { logLevel: "silent" } });
    await copy.store.load(readArchive(archive), { replace: false });
    expect((await checkIntegrity(copy.store)).problems).toEqual([]);
    expect(await valuesOf("moved", copy)).toEqual(given);
    const id = await fileOf("moved", copy);
    expect(id).toBe(await fileOf("moved"));
    expect(await wholeOf(id, copy)).toBe(TEXT);
    await copy.context.erase({ conversation: "moved", from: 2, to: 2 });
    expect((await copy.context.files.list({ conversation: "moved" })).files).toEqual([]);
    expect((await checkIntegrity(copy.store)).problems).toEqual([]);
    await copy.close();
    await other.dispose();
  });

  it("are taken out of old messages, and put back", async () => {
    const conversation = "migrate";
    const old = await open({
      ...{ store: place.store, background: "off" },
      config: { logLevel: "silent", toolOutputStubBytes: 10_000_000 },
    });
    const given = await say(conversation, json(VALUE), old);
    await old.close();
    expect((await engine.context.files.list({ conversation })).files).toEqual([]);
    const planned = await engine.context.files.migrate({ conversation, dryRun: true });
    expect(planned).toMatchObject({ messages: 1, files: 1, bytes: Buffer.byteLength(TEXT) });
    expect(planned.tokens).toBeGreaterThan(10_000);
    expect(await engine.context.files.migrate({ conversation })).toEqual({ ...planned, dryRun: false });
    expect(await wholeOf(await fileOf(conversation))).toBe(TEXT);
    expect(await valuesOf(conversation)).toEqual(given);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    expect(await engine.context.files.migrate({ conversation, revert: true })).toMatchObject({ files: 1 });
    expect(await valuesOf(conversation)).toEqual(given);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("come back in transcripts byte for byte, however they are written there", async () => {
    const written = [call("c1"), result("c1", json(VALUE)), call("c2"), result("c2", json(VALUE))].map(
      (message, at) => JSON.stringify({ ...(message as object), id: `m${at}` }, null, at === 3 ? 1 : 0),
    );
    const bytes = Buffer.from(`${written.map((line) => line.replaceAll("\n", "")).join("\n")}\n`);
    const file = path.join(temporaryFolder(), "session.jsonl");
    writeFileSync(file, bytes);
    const { conversation } = await engine.context.conversations.import(file);
    const out: Uint8Array[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation: conversation ?? "" }))
      out.push(piece);
    expect(Buffer.concat(out).equals(bytes)).toBe(true);
    // The one with spaces is not what JSON.stringify writes, and stays.
    expect(await wholeOf(await fileOf(conversation ?? ""))).toBe(TEXT);
  });

  it("come back byte for byte whatever they are, and whatever is cut out of them", async () => {
    const tiny = await open({
      ...{ store: place.store, background: "off" },
      config: { logLevel: "silent", toolOutputStubBytes: 300 },
    });
    const filler = fc.nat(40).map((size) => Array.from({ length: size }, (_, i) => ({ i, é: `v${i}` })));
    const text = fc.nat(900).map((size) => "long ".repeat(size));
    const value = fc.tuple(fc.jsonValue(), filler, text).map(([any, many, long]) => ({ any, many, long }));
    const output = fc.oneof(
      value.map((one) => json(one)),
      value,
      fc.jsonValue(),
      text,
    );
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(output, { minLength: 1, maxLength: 3 }), async (outputs) => {
        const key = `turn ${++turn}`;
        const content = outputs.flatMap(
          (one, at) => (result(`${key} ${at}`, one) as { content: object[] }).content,
        );
        const message = { role: "tool", content };
        await tiny.context.commitTurn({ conversation: "any", key, messages: [message] });
        const { messages } = await tiny.context.read({ conversation: "any", from: turn });
        expect(String(messages[0]?.original)).toBe(JSON.stringify(message));
      }),
      { numRuns: 60 },
    );
    const { files } = await tiny.context.files.list({ conversation: "any" });
    const cut = files.filter(({ writing }) => writing === "json-value").length;
    expect(cut).toBeGreaterThan(5);
    expect((await checkIntegrity(tiny.store)).problems).toEqual([]);
    await tiny.close();
  });
});
