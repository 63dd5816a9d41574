/** From the setting to the exact bytes: what comes in large is shown short, read in part, and comes back whole. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type HostMessage, open } from "../../src/index.ts";
import { MODEL_TOOLS } from "../../src/operations/index.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { growOld } from "./grow-old.ts";

const STUB = /\[LCM Tool Output: (file_[0-9a-f]{16}) \| tool=(\S+) \| ([\d,]+) bytes\]/;
const REFERENCE = /\[LCM File: (file_[0-9a-f]{16}) \| (.*?) bytes\]/;
const BUDGET = 12_000;
const THRESHOLD = 8_000;

/** Texts whose middle, start and end are hard to cut or to write. */
const PAYLOADS: Readonly<Record<string, string>> = {
  text: "one line of a log\n".repeat(600),
  CJK: "漢字かな交じり文。".repeat(900),
  emoji: "👩‍👩‍👧‍👦😀".repeat(700),
  "binary-looking": Array.from({ length: 9_000 }, (_, i) => String.fromCharCode(i % 128)).join(""),
  "JSON in text": JSON.stringify(
    Array.from({ length: 900 }, (_, i) => ({ id: i, name: `"${i}" \\ \u2028` })),
  ),
  "one byte above": "x".repeat(THRESHOLD + 1),
};

describe.each(ENGINES)("large payloads on %s", (kind) => {
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

  const call = (id: string, input: object): HostMessage => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name: "Read", input }],
  });
  const result = (id: string, content: unknown): HostMessage => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content }],
  });

  /** A result, and so much behind it that it is old. */
  async function say(conversation: string, content: unknown, input: object = { file_path: "src/a.ts" }) {
    const given = [call("t0", input), result("t0", content)];
    await engine.context.commitTurn({ conversation, key: "first", messages: given });
    await growOld(engine, conversation);
    return given;
  }

  const shown = async (conversation: string, budget = BUDGET) => {
    const { messages, items, tokens } = await engine.context.assemble({
      conversation,
      budget,
      format: "anthropic",
    });
    expect(tokens).toBeLessThanOrEqual(budget);
    return { text: JSON.stringify(messages), messages, items };
  };

  const tool = async (name: string, input: object): Promise<string> => {
    const found = MODEL_TOOLS.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no tool ${name}`);
    return found.call(engine, input, {});
  };

  const wholeOf = async (id: string): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.context.files.content(id)) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  };

  it("are files in tags of any case, whose lines are found and shown without the carriage returns they end with", async () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => `entry ${i} was put into the log`).join("\r\n");
    const content = `What is this?\n<FILE NAME="Loud.log">${lines}</FILE>`;
    await engine.context.commitTurn({
      conversation: "loud",
      key: "1",
      messages: [{ role: "user", content }],
    });
    const { text } = await shown("loud");
    const [, id = "", about] = REFERENCE.exec(text) ?? [];
    expect(about).toContain("Loud.log");
    const search = { scope: "files", mode: "regex", conversations: ["loud"] };
    const found = await tool("lcm_grep", { ...search, pattern: "entry 8123 was put into the log$" });
    expect(found).toContain("\n> entry 8123 was put into the log\n");
    expect(await tool("lcm_describe", { id, startLine: 8_124, endLine: 8_124 })).toContain("log\\u{d}");
    expect(await wholeOf(id)).toBe(lines);
  });

  it.each(Object.entries(PAYLOADS))(
    "of %s are stubs once they are old, and open to the exact bytes",
    async (name, payload) => {
      const conversation = `old ${name}`;
      const given = await say(conversation, payload);
      const { text, items } = await shown(conversation, 13_000);
      const [, id = "", toolName, bytes] = STUB.exec(text) ?? [];
      expect([toolName, bytes?.replaceAll(",", "")]).toEqual(["Read", String(Buffer.byteLength(payload))]);
      expect(text).toContain("Tool: Read | file_path=src/a.ts");
      expect(items.filter(({ reason }) => reason === "stub of an old tool result")).toHaveLength(1);
      expect(await wholeOf(id)).toBe(payload);
      let read = "";
      for (let next: { startByte?: number; startLine?: number } | null = { startByte: 0 }; next !== null; ) {
        const slice = await engine.context.files.read({ id, maxBytes: 1_001, ...next });
        expect(slice.endByte).toBeGreaterThan(slice.startByte);
        read += slice.text ?? "";
        next = slice.next;
      }
      expect(read).toBe(payload);
      const original = await engine.context.read({ conversation, to: 2 });
      expect(original.messages.map(({ value }) => value)).toEqual(given);
    },
  );

  it("are given by the tool that the stub names, as a model calls it", async () => {
    const payload = Array.from({ length: 3_000 }, (_, i) => `line ${i + 1} of the answer`).join("\n");
    await say("tool call", payload);
    const { text } = await shown("tool call");
    const [, id = ""] = /Call lcm_describe\(id=\\"(file_[0-9a-f]{16})\\", expandFile=true\)/.exec(text) ?? [];
    const answer = await tool("lcm_describe", { id, expandFile: true, startLine: 2_500, endLine: 2_502 });
    for (const line of [2_500, 2_501, 2_502]) expect(answer).toContain(`line ${line} of the answer`);
    expect(answer).not.toContain("line 2503 of");
    expect(await tool("lcm_describe", { id: `[LCM Tool Output: ${id} | tool=Read | 1 bytes]` })).toContain(
      id,
    );
    expect(await tool("lcm_grep", { pattern: "line 2999 of", mode: "exact", scope: "files" })).toContain(id);
  });

  it("are shown whole while they are fresh, at the threshold, and when stubs are switched off", async () => {
    const old = "y".repeat(THRESHOLD + 100);
    await say("switch", old);
    const off = await open({
      store: place.store,
      background: "off",
      config: { logLevel: "silent", stubLargeToolPayloads: false },
    });
    const assembled = JSON.stringify(await off.context.assemble({ conversation: "switch", budget: BUDGET }));
    expect(assembled).not.toContain("LCM Tool Output");
    await off.close();
    expect((await shown("switch")).text).toContain("LCM Tool Output");
    const fresh = "z".repeat(THRESHOLD + 100);
    await engine.context.commitTurn({
      conversation: "switch",
      key: "new",
      messages: [call("t9", {}), result("t9", fresh)],
    });
    const { text } = await shown("switch", 16_000);
    expect(text).toContain(fresh);
    await say("threshold", "w".repeat(THRESHOLD));
    expect((await shown("threshold")).text).not.toContain("LCM Tool Output");
    const { files } = await engine.context.files.list({ conversation: "threshold" });
    expect(files).toEqual([]);
    await say("empty", "");
    expect((await engine.context.files.list({ conversation: "empty" })).files).toEqual([]);
  });

  it("stay whole in the fresh tail, however many are stubs before it", async () => {
    const [budget, calls] = [100_000, 60];
    const shown = async (turns: number) => {
      const { messages } = await engine.context.assemble({
        conversation: "tail",
        budget,
        format: "original",
      });
      const results = messages
        .map((message) => JSON.stringify(message))
        .filter((text) => text.includes("tool_result"));
      const stubs = results.filter((text) => STUB.test(text));
      return {
        turns,
        stubs: stubs.length,
        newestWhole: results.toReversed().findIndex((text) => STUB.test(text)),
      };
    };
    const seen: Awaited<ReturnType<typeof shown>>[] = [];
    for (let turn = 1; turn <= calls; turn++) {
      const content = `${turn} ${"a line of output. ".repeat(560)}`;
      const messages = [
        { role: "user", content: `go on ${turn}` },
        call(`c${turn}`, {}),
        result(`c${turn}`, content),
      ];
      await engine.context.commitTurn({ conversation: "tail", key: `turn ${turn}`, messages });
      seen.push(await shown(turn));
    }
    const withStubs = seen.filter(({ stubs }) => stubs > 0);
    expect(withStubs.length).toBeGreaterThan(calls / 3);
    // 0.4 of the budget is less than 64 messages here: fifteen results of about 2,520 tokens.
    expect(Math.min(...withStubs.map(({ newestWhole }) => newestWhole))).toBeGreaterThanOrEqual(15);
  });

  it("keep the shape of a result with several blocks, and every pair", async () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "A".repeat(12_000) },
    };
    await say("blocks", [
      { type: "text", text: "a short note" },
      { type: "text", text: "long ".repeat(3_000) },
      image,
      { type: "text", text: "also long ".repeat(2_000) },
    ]);
    const { messages } = await shown("blocks", 14_000);
    const results = messages.flatMap((message) => {
      const { content } = message as { content: unknown };
      return Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [];
    });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      tool_use_id: "t0",
      content: [
        { type: "text", text: "a short note" },
        { type: "text", text: expect.stringMatching(STUB) },
        { type: "image" },
        { type: "text", text: expect.stringMatching(STUB) },
      ],
    });
  });

  it("of many small blocks are stubs too, and blocks that end in half a character", async () => {
    const blocks = Array.from({ length: 29 }, (_, i) => ({
      type: "text",
      text: `${i} of many. `.repeat(180),
    }));
    const half = [{ type: "text", text: `${"cut ".repeat(3_000)}\ud83d` }];
    for (const [conversation, content] of [
      ["many blocks", blocks],
      ["half a character", half],
    ] as const) {
      const given = await say(conversation, content);
      const { text } = await shown(conversation);
      expect(text).toMatch(STUB);
      expect(Buffer.byteLength(text)).toBeLessThan(4 * BUDGET);
      const original = await engine.context.read({ conversation, to: 2 });
      expect(original.messages.map(({ value }) => value)).toEqual(given);
    }
    const { problems } = await checkIntegrity(engine.store);
    expect(problems).toEqual([]);
  });

  it("stay whole in what an assistant said", async () => {
    const long = "I explain. ".repeat(2_000);
    await engine.context.commitTurn({
      conversation: "said",
      key: "a",
      messages: [{ role: "assistant", content: long }],
    });
    expect((await engine.context.files.list({ conversation: "said" })).files).toEqual([]);
  });

  it("that are attached are references from the start, each with an id, stored once", async () => {
    const csv = `id,name,amount\n${Array.from({ length: 9_000 }, (_, i) => `${i},person ${i},${i % 100}`).join("\n")}`;
    const block = `<file name="people &amp; more.csv" mime='text/csv'>${csv}</file>`;
    const content = `First ${block} and again ${block}. What is in it? <file name="small.txt">tiny</file>`;
    await engine.context.commitTurn({
      conversation: "attached",
      key: "a",
      messages: [{ role: "user", content }],
    });
    const { text } = await shown("attached");
    expect(text).toContain('<file name=\\"small.txt\\">tiny</file>');
    expect(text).not.toContain("person 8999");
    const [, id = "", about] = REFERENCE.exec(text) ?? [];
    expect(about).toMatch(/^people & more\.csv \| text\/csv \| [\d,]+$/);
    for (const fact of ["9,000 rows", "id", "name", "amount"]) expect(text).toContain(fact);
    expect(await wholeOf(id)).toBe(csv);
    await engine.context.commitTurn({
      conversation: "attached 2",
      key: "b",
      messages: [{ role: "user", content: block }],
    });
    const { files } = await engine.context.files.list({ kind: "file" });
    const same = files.filter((file) => file.name === "people & more.csv");
    expect(new Set(same.map((file) => file.content)).size).toBe(1);
    expect(new Set(same.map((file) => file.id)).size).toBe(same.length);
    expect(same.length).toBeGreaterThanOrEqual(2);
    const [message] = (await engine.context.read({ conversation: "attached" })).messages;
    expect(message?.value).toEqual({ role: "user", content });
  });

  it("that are pasted are files as a whole, with both ends of the paste in view", async () => {
    const csv = `id,city,population\n${Array.from({ length: 12_000 }, (_, i) => `${i},city ${i},${i * 17}`).join("\n")}`;
    await engine.context.commitTurn({
      conversation: "pasted",
      key: "a",
      messages: [{ role: "user", content: csv }],
    });
    const [file] = (await engine.context.files.list({ conversation: "pasted" })).files;
    expect(await wholeOf(file?.id ?? "")).toBe(csv);
    const { text } = await shown("pasted");
    for (const part of [
      "id,city,population",
      "12,000 rows",
      "- population: integer",
      "11999,city 11999",
      file?.id ?? "?",
    ])
      expect(text).toContain(part);
    expect((await engine.context.read({ conversation: "pasted" })).messages[0]?.value).toEqual({
      role: "user",
      content: csv,
    });
    const found = await engine.context.files.grep({ pattern: "cities 11998", conversations: ["pasted"] });
    expect(found.hits.map(({ line }) => line)).toEqual([12_000]);
    const words = await engine.context.files.grep({
      pattern: "id,city,population",
      mode: "exact",
      conversations: ["pasted"],
    });
    expect(words.hits.map(({ line }) => line)).toEqual([1]);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("in a line that is not UTF-8 come back byte for byte", async () => {
    const folder = temporaryFolder();
    const transcript = path.join(folder, "session.jsonl");
    const payload = Buffer.concat([
      Buffer.from("bytes \\n".repeat(2_000)),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from(" end"),
    ]);
    const lines = [
      Buffer.from(
        '{"type":"session","version":3,"id":"odd","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}',
      ),
      Buffer.from(
        '{"type":"message","id":"m1","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"go"}}',
      ),
      Buffer.from(
        '{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"cat x"}}]}}',
      ),
      Buffer.concat([
        Buffer.from(
          '{"type":"message","id":"m3","parentId":"m2","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{"type":"text","text":"',
        ),
        payload,
        Buffer.from('"}]}}'),
      ]),
    ];
    const bytes = Buffer.concat(lines.map((line) => Buffer.concat([line, Buffer.from("\n")])));
    writeFileSync(transcript, bytes);
    const { conversation } = await engine.context.conversations.import(transcript);
    const out: Uint8Array[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation: conversation ?? "" }))
      out.push(piece);
    expect(Buffer.concat(out).equals(bytes)).toBe(true);
    const { files } = await engine.context.files.list({ conversation: conversation ?? "" });
    expect(files).toHaveLength(1);
    const slice = await engine.context.files.read({ id: files[0]?.id ?? "", startByte: 13_999 });
    expect(slice).toMatchObject({ text: "\nÿþÃ end", encoding: "windows-1252" });
    expect(Buffer.from(slice.base64 ?? "", "base64")).toEqual(
      Buffer.concat([Buffer.from("\n"), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from(" end")]),
    );
  });

  it("keep their ids through every depth of summaries", async () => {
    const conversation = "deep";
    const small = {
      freshTailCount: 4,
      leafChunkTokens: 2_000,
      leafTargetTokens: 300,
      leafMinFanout: 2,
      condensedMinFanout: 2,
    };
    const other = await open({
      store: place.store,
      background: "off",
      config: { logLevel: "silent", ...small },
    });
    for (let turn = 0; turn < 16; turn++)
      await other.context.commitTurn({
        conversation,
        key: `t${turn}`,
        messages: [
          call(`c${turn}`, {}),
          result(`c${turn}`, `${turn} `.repeat(5_000)),
          { role: "assistant", content: "done" },
        ],
      });
    const { files } = await other.context.files.list({ conversation });
    for (let round = 0; round < 4; round++) await other.context.compact({ conversation });
    const { summaries } = await other.context.conversations.summaries(conversation);
    expect(Math.max(...summaries.map(({ depth }) => depth))).toBeGreaterThanOrEqual(1);
    for (const summary of summaries) {
      const below = files.filter(({ seq }) => seq >= summary.firstSeq && seq <= summary.lastSeq);
      expect([...summary.fileIds].sort()).toEqual(below.map(({ id }) => id).sort());
    }
    await other.close();
  });

  it("move with an export, verify, and go with an erasure", async () => {
    const payload = `erase me ${"secret line\n".repeat(2_000)}`;
    await say("gone", payload);
    const folder = temporaryFolder();
    const archive = path.join(folder, "all.jsonl.zst");
    await writeArchive(engine.store, archive, {});
    const copyPlace = await temporaryPlace(kind === "sqlite" ? "postgres" : "sqlite");
    const copy = await open({ store: copyPlace.store, background: "off", config: { logLevel: "silent" } });
    await copy.store.load(readArchive(archive), { replace: false });
    expect((await checkIntegrity(copy.store)).problems).toEqual([]);
    const { files } = await copy.context.files.list({ conversation: "gone" });
    expect(files).toEqual((await engine.context.files.list({ conversation: "gone" })).files);
    await copy.context.erase({ conversation: "gone", from: 2 });
    expect((await copy.context.files.list({ conversation: "gone" })).files).toEqual([]);
    await expect(copy.context.describe({ id: files[0]?.id ?? "" })).rejects.toThrow("there is no file");
    expect(await copy.store.collectGarbage({ dryRun: true })).toEqual({ contents: 0, bytes: 0 });
    expect((await checkIntegrity(copy.store)).problems).toEqual([]);
    await copy.close();
    await copyPlace.dispose();
  });

  it("of any size can be attached from a stream, once", async () => {
    const line = "a line of the long file, number ";
    const open = async function* () {
      for (let i = 0; i < 40; i++)
        yield Buffer.from(Array.from({ length: 1_000 }, (_, k) => `${line}${i * 1_000 + k}\n`).join(""));
    };
    const input = { conversation: "stream", name: "long.txt", mime: "text/plain", open };
    const first = await engine.context.files.attach(input);
    expect(await engine.context.files.attach(input)).toEqual({ ...first, status: "duplicate" });
    const { text } = await shown("stream");
    expect(text).toContain(first.id);
    const slice = await engine.context.files.read({ id: first.id, startLine: 39_999, endLine: 40_000 });
    expect(slice.text).toBe(`${line}39998\n${line}39999\n`);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("are taken out of old messages and put back, whatever stops it", async () => {
    const old = await open({
      store: place.store,
      background: "off",
      config: { logLevel: "silent", toolOutputStubBytes: 10_000_000 },
    });
    const payload = (turn: number) => `${turn} heavy `.repeat(2_000);
    for (let turn = 0; turn < 5; turn++)
      await old.context.commitTurn({
        conversation: "migrate",
        key: `t${turn}`,
        messages: [
          call(`c${turn}`, { path: `f${turn}.ts`, command: "secret" }),
          result(`c${turn}`, payload(turn)),
        ],
      });
    await old.close();
    const conversation = "migrate";
    const before = (await engine.context.read({ conversation })).messages;
    const planned = await engine.context.files.migrate({ conversation, dryRun: true });
    expect(planned).toMatchObject({ messages: 5, files: 5, dryRun: true });
    expect((await engine.context.files.list({ conversation })).files).toEqual([]);
    const stop = new AbortController();
    stop.abort();
    await expect(engine.context.files.migrate({ conversation, signal: stop.signal })).rejects.toThrow(
      "cancelled",
    );
    expect(await engine.context.files.migrate({ conversation })).toEqual({ ...planned, dryRun: false });
    expect(await engine.context.files.migrate({ conversation })).toMatchObject({ messages: 0, files: 0 });
    const { files } = await engine.context.files.list({ conversation });
    expect(files.map(({ description }) => description).reverse()).toEqual(
      [0, 1, 2, 3, 4].map((turn) => `Tool: Read | path=f${turn}.ts`),
    );
    expect((await engine.context.read({ conversation })).messages).toEqual(before);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    expect(await engine.context.files.migrate({ conversation, revert: true })).toMatchObject({
      messages: 5,
      files: 5,
    });
    expect((await engine.context.files.list({ conversation })).files).toEqual([]);
    expect((await engine.context.read({ conversation })).messages).toEqual(before);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });
});
