import { describe, expect, it } from "vitest";
import { referenceOf } from "../../../text/file-reference.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import type { DescribeFileWrite, NewFile, Payloads } from "../../file-store.ts";
import type { NewMessage } from "../../store.ts";
import { AT, conversationIdFor, onlyResult, sampleMessage, samplePublish, sampleSummary } from "../sample.ts";
import { collect, feed } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

const LATER = "2026-03-01T11:00:00.000Z";
const OWN = "Plain text, 11 bytes.\nMost frequent words: tide";

let files = 0;

/** A message that contains a file. */
function withFile(key: string, payload = "high\nwater."): NewMessage {
  const content = JSON.stringify({ role: "user", content: payload });
  const start = content.indexOf(":", content.indexOf("content")) + 2;
  const file: NewFile = {
    id: `file_d${(++files).toString(16).padStart(15, "0")}`,
    kind: "file",
    name: "tides.txt",
    mime: null,
    tool: null,
    description: OWN,
    origin: "ingest",
    writing: "json",
    places: [{ start, end: content.length - 2, before: 0, after: 0 }],
    content: null,
  };
  return sampleMessage(key, "", { content, tokenCount: 50, files: [file] });
}

export function describeDescribedFiles(use: StoreInUse): void {
  const { append, newSession } = use;

  const describeWrite = (session: string, { files: [file] }: NewMessage): DescribeFileWrite => ({
    kind: "describe-file",
    id: conversationIdFor(session),
    file: file?.id ?? "",
    text: 'About "tides" \u{1f600}.\nHigh water is at noon; it costs $& nothing.',
    model: "test/writer",
    at: LATER,
    tokenCount: 70,
    stubTokenCount: null,
  });
  const contents = async (session: string, payloads: Payloads, describedBefore?: string) => {
    const query = { payloads, ...(describedBefore === undefined ? {} : { describedBefore }) };
    const { rows } = await use.scoped.messages(conversationIdFor(session), query);
    return rows.map(({ content }) => String(content));
  };

  describe("files that a model described", () => {
    it("show its words behind the first line of their own, and count with them", async () => {
      const session = newSession();
      const message = withFile("a");
      await append(session, [sampleMessage("before"), message]);
      const write = describeWrite(session, message);
      const result = onlyResult(await use.scoped.commit([write]), "describe-file");
      expect(result.seq).toBe(2);
      const file = await use.scoped.file(write.file);
      const { text, model, at } = write;
      expect(file).toMatchObject({ description: OWN, described: { text, model, at } });
      const [, shown] = await contents(session, "context");
      expect(JSON.parse(shown ?? "").content).toMatch(/\n\nExploration Summary:\nPlain text, 11 bytes\.\n/);
      expect(JSON.parse(shown ?? "").content.endsWith(`11 bytes.\n${text}`)).toBe(true);
      expect((await contents(session, "whole"))[1]).toBe(message.content);
      expect(await use.scoped.conversation({ id: write.id })).toMatchObject({
        tokenCount: 73,
        contextTokens: 73,
        contextStubTokens: 73,
      });
      const { items } = await use.scoped.contextWindow(write.id, { maxTokens: 1_000 });
      expect(items.map((item) => item.type === "message" && item.message?.tokenCount)).toEqual([3, 70]);
      expect((await use.scoped.contextItems(write.id, {})).rows.map((item) => item.tokenCount)).toEqual([
        3, 70,
      ]);
    });

    it("are shown as they were before it, for whoever asks as of then", async () => {
      const session = newSession();
      const message = withFile("a");
      await append(session, [message]);
      const before = await contents(session, "context");
      await use.scoped.commit([describeWrite(session, message)]);
      expect(await contents(session, "context", AT)).toEqual(before);
      expect(await contents(session, "context", LATER)).toEqual(before);
      const after = await contents(session, "context");
      expect(after).not.toEqual(before);
      expect(await contents(session, "context", "2026-03-01T11:00:00.001Z")).toEqual(after);
    });

    it("show it also where the message itself is the reference", async () => {
      const session = newSession();
      async function* pieces() {
        yield new TextEncoder().encode(`ebb and flood ${session}`);
      }
      const { hash, bytes } = await use.scoped.putContent(pieces());
      const [placed] = withFile("x").files;
      const file = { ...(placed as NewFile), places: [], content: hash };
      const reference = referenceOf({ ...file, bytes });
      const message = sampleMessage("a", reference, { tokenCount: 50, files: [file] });
      await append(session, [message]);
      const write = describeWrite(session, message);
      await use.scoped.commit([write]);
      const described = { text: write.text };
      const expected = JSON.stringify({
        role: "user",
        content: referenceOf({ ...file, bytes, described }),
      });
      expect(await contents(session, "context")).toEqual([expected]);
      expect(await contents(session, "stubs")).toEqual([expected]);
      expect(await contents(session, "whole")).toEqual([message.content]);
      expect(await contents(session, "context", AT)).toEqual([message.content]);
    });

    it("are refused when they are gone, described, excluded or summarised", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const messages = ["a", "b", "c"].map((key) => withFile(key));
      await append(session, messages);
      const [first, second, third] = messages.map((message) => describeWrite(session, message));
      if (first === undefined || second === undefined || third === undefined) throw new Error("three");
      const refused = async (write: DescribeFileWrite) =>
        expect(use.scoped.commit([write])).rejects.toMatchObject({ code: "busy" });
      await refused({ ...first, file: "file_00000000000000ff" });
      await use.scoped.commit([first]);
      await refused(first);
      await append(session, [], { address: { id }, leaveContext: [{ seq: 2, reason: "branch" }] });
      await refused(second);
      await use.scoped.commit([samplePublish(id, sampleSummary([3]))]);
      await refused(third);
      expect(await use.scoped.conversation({ id })).toMatchObject({ tokenCount: 170, contextTokens: 72 });
      expect((await use.scoped.file(third.file))?.described).toBeNull();
    });

    it("get it from elsewhere when they are here without it, and keep it when they come without", async () => {
      const session = newSession();
      const message = withFile("a");
      await append(session, [message, sampleMessage("b")]);
      const write = describeWrite(session, message);
      const ofSession = async () =>
        (await collect(use.store.dump())).filter(
          (row) => ("conversation" in row ? row.conversation : "id" in row && row.id) === write.id,
        );
      const before = await ofSession();
      await use.scoped.commit([write]);
      await use.scoped.commit([samplePublish(write.id, sampleSummary([1]))]);
      const after = await ofSession();
      const place = await use.create();
      const copy = await place.open();
      try {
        await copy.load(feed(before), { replace: false });
        const scoped = copy.scoped(DEFAULT_SCOPE);
        expect((await scoped.file(write.file))?.described).toBeNull();
        await copy.load(feed(after), { replace: false });
        await copy.load(feed(before), { replace: false });
        expect(await scoped.file(write.file)).toEqual(await use.scoped.file(write.file));
        expect(await scoped.messages(write.id, {})).toEqual(await use.scoped.messages(write.id, {}));
        expect(await scoped.conversation({ id: write.id })).toEqual(
          await use.scoped.conversation({ id: write.id }),
        );
      } finally {
        await copy.close();
        await place.dispose();
      }
    });

    it("keep it when they move to another store", async () => {
      const session = newSession();
      const message = withFile("a");
      await append(session, [message]);
      const write = describeWrite(session, message);
      await use.scoped.commit([write]);
      const place = await use.create();
      const copy = await place.open();
      try {
        await copy.load(feed(await collect(use.store.dump())), { replace: false });
        const scoped = copy.scoped(DEFAULT_SCOPE);
        expect(await scoped.file(write.file)).toEqual(await use.scoped.file(write.file));
        const query = { payloads: "context" } as const;
        expect(await scoped.messages(write.id, query)).toEqual(await use.scoped.messages(write.id, query));
        expect(await scoped.conversation({ id: write.id })).toMatchObject({ contextTokens: 70 });
      } finally {
        await copy.close();
        await place.dispose();
      }
    });
  });
}
