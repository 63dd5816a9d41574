import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../text/bytes.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import { FRAME_BYTES, type NewFile, type PayloadPlace, type Payloads } from "../../file-store.ts";
import { writePayload } from "../../payloads.ts";
import type { NewMessage, WindowItem } from "../../store.ts";
import { AT, conversationIdFor, onlyResult, sampleMessage, samplePublish, sampleSummary } from "../sample.ts";
import { collect, feed } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

let files = 0;
const nextId = () => `file_${(++files).toString(16).padStart(16, "0")}`;

/** A message that contains one payload, as JSON. */
function withPayload(key: string, payload: string, more: Partial<NewFile> = {}): NewMessage {
  const content = JSON.stringify({ role: "tool", content: payload, again: payload });
  const quoted = Buffer.concat([
    Buffer.from('"'),
    writePayload(Buffer.from(payload), "json"),
    Buffer.from('"'),
  ]);
  const bytes = Buffer.from(content);
  const places: PayloadPlace[] = [];
  for (let at = bytes.indexOf(quoted); at >= 0; at = bytes.indexOf(quoted, at + quoted.length))
    places.push({ start: at + 1, end: at + quoted.length - 1, before: 0, after: 0 });
  const file: NewFile = {
    id: nextId(),
    kind: "tool-output",
    name: null,
    mime: null,
    tool: "read",
    description: "Tool: read",
    origin: "ingest",
    writing: "json",
    places,
    content: null,
    ...more,
  };
  return sampleMessage(key, "", { role: "tool", content, tokenCount: 100, stubTokenCount: 7, files: [file] });
}

/** A message that contains the same list twice as its payload. Its brackets stay. */
function withValue(key: string, length: number): NewMessage {
  const value = Array.from({ length }, (_, id) => ({ id, name: `é ${id} "\u{1f600}"`, half: "\ud83d" }));
  const written = JSON.stringify(value);
  const content = JSON.stringify({ role: "tool", content: value, again: value, é: 1 });
  const message = withPayload(key, "");
  const [bytes, size] = [Buffer.from(content), Buffer.byteLength(written)];
  const first = bytes.indexOf(written);
  const places = [first, bytes.indexOf(written, first + size)].map((start) => ({
    ...{ start, end: start + size, before: 1, after: 1, head: 1, tail: 1 },
  }));
  const files = message.files.map((file) => ({ ...file, writing: "json-value" as const, places }));
  return { ...message, content, files };
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i} \u{1f600} "é"`).join("\n");

export function describeFiles(use: StoreInUse): void {
  const { append, readAll, newSession } = use;
  const contentOf = async (id: string) => {
    const file = await use.scoped.file(id);
    return Buffer.from((await use.scoped.fileBytes(id, 0, file?.bytes ?? 0)) ?? []);
  };

  describe("payloads apart from their messages", () => {
    it.each([
      ["small", lines(100)],
      ["large", lines(20_000)],
      ["empty", ""],
      ["odd", "\0\u0001\u007f\u2028 </file> \\u0041 \ufffd 漢字"],
    ])("come back with the message: %s", async (_, payload) => {
      const session = newSession();
      const message = withPayload("a", payload);
      await append(session, [sampleMessage("before"), message]);
      const [, stored] = await readAll(session);
      expect(stored?.content).toBe(message.content);
      expect(stored).toMatchObject({ tokenCount: 100, stubTokenCount: 7 });
      const id = message.files[0]?.id ?? "";
      expect(await use.scoped.file(id)).toMatchObject({
        ...message.files[0],
        conversation: conversationIdFor(session),
        seq: 2,
        ordinal: 0,
        bytes: Buffer.byteLength(payload),
        lines: payload.replace(/\n$/, "").split("\n").length - (payload === "" ? 1 : 0),
        content: sha256(Buffer.from(payload)),
        createdAt: AT,
      });
      if (payload.length < 5_000_000) expect((await contentOf(id)).toString()).toBe(payload);
      expect((await append(session, [sampleMessage("before"), message])).status).toBe("duplicate");
    });

    it("are given as references where they are wanted so", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const output = withPayload("a", lines(500));
      const attached = withPayload("b", lines(600), {
        kind: "file",
        name: "notes.txt",
        tool: null,
        description: "Notes.",
      });
      await append(session, [output, attached]);
      const [outputId, fileId] = [output.files[0]?.id, attached.files[0]?.id];
      const read = async (payloads: "context" | "stubs" | "search") =>
        (await use.scoped.messages(id, { payloads })).rows.map(({ content }) => String(content));
      const [whole, reference] = await read("context");
      expect(whole).toBe(output.content);
      expect(JSON.parse(reference ?? "")).toMatchObject({
        content: expect.stringContaining(`[LCM File: ${fileId} | notes.txt |`),
      });
      const [stub] = await read("stubs");
      expect(JSON.parse(stub ?? "").again).toMatch(
        new RegExp(`^\\[LCM Tool Output: ${outputId} \\| tool=read \\| [\\d,]+ bytes\\]\\nTool: read\\n`),
      );
      expect(await read("search")).toEqual([output.content, attached.content]);
      const originals = await use.scoped.originals(id, {});
      expect(originals.rows.map(({ fileIds }) => fileIds)).toEqual([[outputId], [fileId]]);
      expect(Buffer.from(originals.rows[0]?.content ?? []).toString()).toBe(output.content);
    });

    it("that are values come back as they were written, and leave strings where references stand", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const message = withValue("a", 3_000);
      await append(session, [message, { ...withValue("b", 10), files: [], stubTokenCount: null }]);
      const read = async (payloads?: Payloads) =>
        String((await use.scoped.messages(id, payloads === undefined ? {} : { payloads })).rows[0]?.content);
      for (const payloads of [undefined, "whole", "sound", "context", "search", "summarise"] as const)
        expect(await read(payloads)).toBe(message.content);
      const reference = expect.stringMatching(
        /^\[LCM Tool Output: file_\w+ \| tool=read \|.* to read it\.$/s,
      );
      expect(JSON.parse(await read("stubs"))).toEqual({
        ...{ role: "tool", content: reference, again: reference, é: 1 },
      });
      const written = JSON.stringify(JSON.parse(message.content as string).content);
      expect((await contentOf(message.files[0]?.id ?? "")).toString()).toBe(written);
      const later = withValue("b", 10);
      const apart = { seq: 2, files: later.files, tokenCount: 100, stubTokenCount: 7 };
      await use.scoped.commit([{ kind: "externalise", id, messages: [apart], at: AT }]);
      expect((await readAll(session))[1]?.content).toBe(later.content);
      await use.scoped.commit([{ kind: "internalise", id, messages: [{ seq: 2, tokenCount: 100 }] }]);
      expect((await readAll(session))[1]?.content).toBe(later.content);
    });

    it("lose the tags around them with them, and get both back", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const payload = lines(400);
      const tag = '<file name="a">';
      const content = JSON.stringify({ role: "user", content: `see ${tag}${payload}</file> above` });
      const start = Buffer.from(content).indexOf(">") + 1;
      const end = Buffer.from(content).indexOf("</file>");
      const [before, after] = [Buffer.byteLength(JSON.stringify(tag)) - 2, "</file>".length];
      const {
        files: [file],
      } = withPayload("x", "");
      const place = { start, end, before, after };
      await append(session, [
        sampleMessage("a", "", {
          content,
          files: [{ ...(file as NewFile), kind: "file", name: "a", places: [place] }],
        }),
      ]);
      const [whole] = (await use.scoped.messages(id, {})).rows;
      expect(whole?.content).toBe(content);
      const [short] = (await use.scoped.messages(id, { payloads: "context" })).rows;
      expect(JSON.parse(String(short?.content)).content).toMatch(
        /^see \n\[LCM File: [^\n]*\][^<]*\n above$/s,
      );
    });

    it("are kept once, however often they come, and go with the last that refers to them", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const payload = `${lines(15_000)}${session}`;
      const [first, second] = [withPayload("a", payload), withPayload("b", payload)];
      await append(session, [first, second]);
      const found = await Promise.all(
        [first, second].map(({ files: [file] }) => use.scoped.file(file?.id ?? "")),
      );
      expect(found[0]?.content).toBe(found[1]?.content);
      expect(found[0]?.id).not.toBe(found[1]?.id);
      const erase = (seq: number) =>
        use.scoped.commit([
          {
            kind: "erase",
            id,
            seqs: [seq],
            retold: [],
            lines: [],
            title: null,
            at: AT,
            audit: { at: AT, action: "erase", conversation: id, detail: `{"seq":${seq}}` },
          },
        ]);
      await erase(1);
      expect(await use.scoped.file(first.files[0]?.id ?? "")).toBeUndefined();
      expect((await contentOf(second.files[0]?.id ?? "")).toString()).toBe(payload);
      await erase(2);
      expect(await use.scoped.file(second.files[0]?.id ?? "")).toBeUndefined();
      expect(await use.store.collectGarbage({ dryRun: true })).toEqual({ contents: 0, bytes: 0 });
    });

    it("are read by any range, and their lines are found", async () => {
      const session = newSession();
      const payload = lines(20_000);
      const message = withPayload("a", payload);
      await append(session, [message]);
      const id = message.files[0]?.id ?? "";
      const bytes = Buffer.from(payload);
      for (const [start, end] of [
        [0, 10],
        [FRAME_BYTES - 3, FRAME_BYTES + 5],
        [bytes.length - 7, bytes.length + 9],
        [5, 5],
        [bytes.length + 1, bytes.length + 2],
      ] as const)
        expect(Buffer.from((await use.scoped.fileBytes(id, start, end)) ?? [])).toEqual(
          bytes.subarray(start, end),
        );
      const feeds = await use.scoped.fileLines(id);
      const expected = [];
      for (let at = 0; at < bytes.length; at += FRAME_BYTES)
        expected.push(
          bytes
            .subarray(at, at + FRAME_BYTES)
            .toString("latin1")
            .split("\n").length - 1,
        );
      expect([...(feeds ?? [])]).toEqual(expected);
      expect(await use.scoped.fileBytes("file_ffffffffffffffff", 0, 1)).toBeUndefined();
      expect(await use.scoped.fileLines("file_ffffffffffffffff")).toBeUndefined();
    });

    it("can be put in before anything refers to them, in pieces of any size", async () => {
      const session = newSession();
      const content = Buffer.concat([randomBytes(3 * FRAME_BYTES + 17), Buffer.from("\nend\n")]);
      async function* pieces() {
        for (let at = 0; at < content.length; at += 100_003)
          yield new Uint8Array(content.subarray(at, at + 100_003));
      }
      const put = await use.scoped.putContent(pieces());
      expect(put).toMatchObject({ hash: sha256(content), bytes: content.length });
      const message = withPayload("a", "");
      const [file] = message.files;
      await append(session, [
        { ...message, files: [{ ...(file as NewFile), kind: "file", places: [], content: put.hash }] },
      ]);
      expect(await contentOf(file?.id ?? "")).toEqual(content);
      expect((await readAll(session))[0]?.content).toBe(message.content);
    });

    it("are collected as garbage only when nothing refers to them", async () => {
      async function* pieces() {
        yield new Uint8Array(randomBytes(300_000));
      }
      const { hash } = await use.scoped.putContent(pieces());
      const planned = await use.store.collectGarbage({ dryRun: true });
      expect(planned.contents).toBe(1);
      expect(planned.bytes).toBeGreaterThan(290_000);
      expect(await use.store.collectGarbage({ dryRun: false })).toEqual(planned);
      expect(await use.store.collectGarbage({ dryRun: false })).toEqual({ contents: 0, bytes: 0 });
      const message = withPayload("a", "");
      const [file] = message.files;
      const late = append(newSession(), [
        { ...message, files: [{ ...(file as NewFile), places: [], content: hash }] },
      ]);
      await expect(late).rejects.toThrow();
    });

    it("are listed newest first, by conversation and kind, page by page", async () => {
      const session = newSession();
      const conversation = conversationIdFor(session);
      const messages = [
        withPayload("a", "1"),
        withPayload("b", "2", { kind: "file" }),
        withPayload("c", "3"),
      ];
      await append(session, messages);
      const ids = messages.map(({ files: [file] }) => file?.id).reverse();
      const list = async (query: object) =>
        (await use.scoped.files({ conversation, ...query })).rows.map(({ id }) => id);
      expect(await list({})).toEqual(ids);
      expect(await list({ kind: "file" })).toEqual([ids[1]]);
      const page = await use.scoped.files({ conversation, limit: 2 });
      expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      expect(await list({ from: page.next })).toEqual(ids.slice(2));
      expect((await use.scoped.files({ limit: 1 })).rows.map(({ id }) => id)).toEqual(ids.slice(0, 1));
      const marks = await use.scoped.fileMarks(0, 3);
      expect(marks.map(({ id }) => id)).toEqual(ids);
      expect(marks.every((mark) => mark.conversation === conversation)).toBe(true);
      expect(await use.scoped.fileMarks(marks[1]?.position ?? 0, 10)).toEqual(marks.slice(0, 1));
      const other = use.store.scoped({ ...DEFAULT_SCOPE, agent: "somebody-else" });
      expect(await other.fileMarks(0, 10)).toEqual([]);
      expect(await other.file(ids[0] ?? "")).toBeUndefined();
      expect(await other.fileBytes(ids[0] ?? "", 0, 1)).toBeUndefined();
      expect((await other.files({})).rows).toEqual([]);
    });

    it("come apart from messages on record, and together again", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const message = withPayload("a", lines(3_000));
      await append(session, [sampleMessage("before"), { ...message, files: [], stubTokenCount: null }]);
      const before = await readAll(session);
      const apart = { seq: 2, files: message.files, tokenCount: 90, stubTokenCount: 7 };
      const write = async (kind: "externalise" | "internalise") =>
        onlyResult(
          await use.scoped.commit([
            kind === "externalise"
              ? { kind, id, messages: [apart], at: AT }
              : { kind, id, messages: [{ seq: 2, tokenCount: 100 }] },
          ]),
          kind,
        ).messages;
      expect(await write("externalise")).toBe(1);
      expect(await write("externalise")).toBe(0);
      const [, stored] = await readAll(session);
      expect(stored).toEqual({ ...before[1], tokenCount: 90, stubTokenCount: 7 });
      expect(await use.scoped.conversation({ id })).toMatchObject({
        tokenCount: 93,
        contextTokens: 93,
        contextStubTokens: 10,
      });
      expect((await use.scoped.files({ conversation: id })).rows.length).toBe(1);
      expect(await write("internalise")).toBe(1);
      expect(await write("internalise")).toBe(0);
      expect(await readAll(session)).toEqual(before);
      expect(await use.scoped.conversation({ id })).toMatchObject({
        contextTokens: 103,
        contextStubTokens: 103,
      });
      expect((await use.scoped.files({ conversation: id })).rows).toEqual([]);
      expect(await use.store.collectGarbage({ dryRun: true })).toEqual({ contents: 0, bytes: 0 });
    });

    it("move to another store with everything else", async () => {
      const place = await use.create();
      const copy = await place.open();
      try {
        await copy.load(feed(await collect(use.store.dump())), { replace: false });
        const scoped = copy.scoped(DEFAULT_SCOPE);
        const { rows } = await use.scoped.files({});
        const there = (await scoped.files({})).rows;
        const byId = (list: typeof rows) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(byId(there)).toEqual(byId(rows));
        expect(rows.length).toBeGreaterThan(5);
        for (const { id, bytes } of rows.slice(0, 20))
          expect(await scoped.fileBytes(id, 0, bytes)).toEqual(await use.scoped.fileBytes(id, 0, bytes));
      } finally {
        await copy.close();
        await place.dispose();
      }
    });
  });

  describe("stubs in a window", () => {
    const STUBS = { above: 300, freshItems: 1_000, freshTokens: 200, stepTokens: 100, fullAt: 1_000_000 };
    const stubsIn = (items: readonly WindowItem[]) =>
      items.flatMap((item) => (item.type === "message" && item.isStub ? [item.seq] : []));

    it("stand for old results once the context is large, and the border moves in steps", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const borders: number[][] = [];
      for (let i = 1; i <= 9; i++) {
        await append(session, [withPayload(`k${i}`, lines(100 + i))]);
        const window = await use.scoped.contextWindow(id, { maxTokens: 1000, stubs: STUBS });
        borders.push(stubsIn(window.items));
      }
      expect(borders.map((stubs) => stubs.length)).toEqual([0, 0, 0, 2, 3, 4, 5, 6, 7]);
      const { items } = await use.scoped.contextWindow(id, { maxTokens: 1000, stubs: STUBS });
      for (const item of items)
        if (item.type === "message")
          expect(String(item.message?.content).includes("[LCM Tool Output:")).toBe(item.isStub);
      const none = await use.scoped.contextWindow(id, { maxTokens: 1000 });
      expect(stubsIn(none.items)).toEqual([]);
    });

    it("do not stand for the newest result where all others fit beside it as stubs", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(
        session,
        Array.from({ length: 5 }, (_, i) => withPayload(`k${i}`, lines(70 + i))),
      );
      const { items } = await use.scoped.contextWindow(id, { maxTokens: 1_000 });
      const stubs = { ...STUBS, freshTokens: 10, stepTokens: 10 };
      // Five stubs of 7 tokens, and 100 for the newest.
      for (const [above, seen] of [
        [135, [1, 2, 3, 4]],
        [134, [1, 2, 3, 4, 5]],
      ] as const) {
        const window = await use.scoped.contextWindow(id, { maxTokens: 1_000, stubs: { ...stubs, above } });
        expect(window.items).toHaveLength(items.length);
        expect(stubsIn(window.items)).toEqual(seen);
      }
    });

    it("let more fit, and leave the tokens before the window in the same measure", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(
        session,
        Array.from({ length: 20 }, (_, i) => withPayload(`k${i}`, lines(90 + i))),
      );
      const plain = await use.scoped.contextWindow(id, { maxTokens: 500 });
      expect(plain.items.length).toBe(5);
      const window = await use.scoped.contextWindow(id, { maxTokens: 300, stubs: STUBS });
      expect(window.items.length).toBe(2 + Math.floor((300 - 200) / 7));
      expect(window.left).toEqual({ items: 4, tokens: 4 * 7 });
    });

    it("are held apart from what was read whole", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(
        session,
        Array.from({ length: 6 }, (_, i) => withPayload(`k${i}`, lines(80 + i))),
      );
      const held = { seqs: [1, 2, 6], stubs: [3], summaries: [] };
      const window = await use.scoped.contextWindow(id, { maxTokens: 1000, stubs: STUBS, held });
      expect(stubsIn(window.items)).toEqual([1, 2, 3, 4]);
      const missing = window.items.flatMap((item) =>
        item.type === "message" && item.message === null ? [item.seq] : [],
      );
      expect(missing).toEqual([3, 6]);
    });

    it("stand from where the newest compaction settled it, in a small context too", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(
        session,
        Array.from({ length: 6 }, (_, i) => withPayload(`k${i}`, lines(70 + i))),
      );
      await use.scoped.commit([samplePublish(id, sampleSummary([1, 2]))]);
      const window = await use.scoped.contextWindow(id, {
        maxTokens: 9000,
        stubs: { ...STUBS, above: 5000 },
      });
      expect(stubsIn(window.items)).toEqual([3]);
      expect(await use.scoped.conversation({ id })).toMatchObject({
        contextTokens: 400 + 2,
        contextStubTokens: 4 * 7 + 2,
      });
    });
  });
}
