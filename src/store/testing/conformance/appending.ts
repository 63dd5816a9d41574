import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { everyRow } from "../../every-row.ts";
import {
  AT,
  conversationIdFor,
  sampleAppend,
  sampleLine,
  sampleMessage,
  sampleTranscriptWrite,
} from "../sample.ts";
import { bytesOf, contextOf, readMessages, verifyChain } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeAppending(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("appending", () => {
    it("creates the conversation, numbers messages from 1 and gives them back exactly", async () => {
      const session = newSession();
      const result = await append(session, [sampleMessage("a"), sampleMessage("b")]);
      expect(result.created).toBe(true);
      expect(result.messages.map((message) => message.seq)).toEqual([1, 2]);
      const messages = await readAll(session);
      expect(messages.map((message) => message.key)).toEqual(["a", "b"]);
      expect(messages[0]?.content).toBe('{"role":"user","content":"a"}');
      expect(messages[0]?.parts).toEqual([
        { type: "text", toolCallId: null, toolName: null, toolStatus: null },
      ]);
    });

    it("keeps any text and any bytes exactly (promise: exact)", async () => {
      const session = newSession();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.string({ unit: "grapheme", maxLength: 3000 }).filter((text) => !text.includes("\0")),
            fc.uint8Array({ maxLength: 3000 }),
            fc.constantFrom("", "a".repeat(1024), "a".repeat(1025), "é".repeat(600), "\ufeffbom", "\r\n"),
            fc.constantFrom(Uint8Array.of(0), Uint8Array.of(0xff, 0xfe), Buffer.from("plain text")),
          ),
          async (content) => {
            const seq = ++count;
            await append(session, [sampleMessage(`k${seq}`, "", { content })]);
            const page = await use.scoped.messages(conversationIdFor(session), { from: seq, to: seq });
            expect(bytesOf(page.rows[0]?.content)).toEqual(bytesOf(content));
          },
        ),
        { numRuns: 60 },
      );
      expect(await verifyChain(use.scoped, conversationIdFor(session))).toBe(count);
    });

    it("chains the hashes and moves the head", async () => {
      const session = newSession();
      await append(session, [sampleMessage("a"), sampleMessage("b")]);
      const { conversation } = await append(session, [sampleMessage("c")]);
      const messages = await readAll(session);
      expect(conversation.headHash).toBe(messages[2]?.hash);
      expect(conversation.messageCount).toBe(3);
      expect(conversation.tokenCount).toBe(9);
      expect(await verifyChain(use.scoped, conversation.id)).toBe(3);
    });

    it("recognises a replay and keeps a second message with the same text (promise: once)", async () => {
      const session = newSession();
      const messages = [sampleMessage("a", "ok"), sampleMessage("b", "ok")];
      await append(session, messages);
      const replay = await append(session, messages);
      expect(replay.status).toBe("duplicate");
      expect(replay.messages.every((message) => message.existed)).toBe(true);
      expect((await readAll(session)).length).toBe(2);
    });

    it("refuses a known key with other content and changes nothing (promise: refused)", async () => {
      const session = newSession();
      await append(session, [sampleMessage("a", "first")]);
      const write = append(session, [sampleMessage("new"), sampleMessage("a", "second")]);
      await expect(write).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
      expect((await readAll(session)).map((message) => message.key)).toEqual(["a"]);
      expect(await verifyChain(use.scoped, conversationIdFor(session))).toBe(1);
    });

    it("keeps an edited entry as another version when branching is asked for", async () => {
      const session = newSession();
      await append(session, [sampleMessage("a", "first")]);
      const edited = await append(session, [sampleMessage("a", "second")], { onOtherContent: "branch" });
      expect(edited.messages).toEqual([{ key: "a~2", seq: 2, existed: false, erased: false }]);
      const again = await append(session, [sampleMessage("a", "second")], { onOtherContent: "branch" });
      expect(again.messages).toEqual([{ key: "a~2", seq: 2, existed: true, erased: false }]);
      expect(again.status).toBe("duplicate");
    });

    it("keeps the order of an edited transcript: what follows an edited entry is kept again behind it", async () => {
      const session = newSession();
      const branch = { onOtherContent: "branch" } as const;
      const [a, b, c] = [sampleMessage("a"), sampleMessage("b"), sampleMessage("c")];
      const edited = sampleMessage("b", "edited");
      await append(session, [a, b, c], branch);
      const leaveContext = [2, 3].map((seq) => ({ seq, reason: "branch" as const }));
      const second = await append(session, [a, edited, c], { ...branch, leaveContext });
      expect(second.messages.map(({ key, seq }) => [key, seq])).toEqual([
        ["a", 1],
        ["b~2", 4],
        ["c~2", 5],
      ]);
      expect(await contextOf(use.scoped, conversationIdFor(session))).toEqual([1, 4, 5]);
      const again = await append(session, [a, edited, c], branch);
      expect(again.messages.map(({ seq }) => seq)).toEqual([1, 4, 5]);
      const said = await append(session, [a], { ...branch, afterSeq: 5 });
      expect(said.messages).toEqual([{ key: "a~2", seq: 6, existed: false, erased: false }]);
    });

    it("does all writes of a commit or none (promise: atomic)", async () => {
      const [first, second] = [newSession(), newSession()];
      await append(second, [sampleMessage("a", "known")]);
      const commit = use.scoped.commit([
        sampleAppend(first, [sampleMessage("x")]),
        sampleAppend(second, [sampleMessage("a", "other")]),
      ]);
      await expect(commit).rejects.toThrow(/other content/);
      expect(await use.scoped.conversation({ id: conversationIdFor(first) })).toBeUndefined();
    });

    it("does not create a conversation unless it is asked to", async () => {
      const commit = append(newSession(), [sampleMessage("a")], { create: null });
      await expect(commit).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
    });

    it("pages by count and by bytes and always reaches the end (promise: complete)", async () => {
      const session = newSession();
      const texts = Array.from({ length: 25 }, (_, i) => "x".repeat(i * 40));
      await append(
        session,
        texts.map((text, i) => sampleMessage(`k${i}`, text)),
      );
      for (const query of [{ limit: 1 }, { limit: 7 }, { maxBytes: 1 }, { maxBytes: 2000 }, {}]) {
        const read = await readMessages(use.scoped, conversationIdFor(session), query);
        expect(read.map((message) => message.seq)).toEqual(texts.map((_, i) => i + 1));
      }
      const range = await use.scoped.messages(conversationIdFor(session), {
        from: 5,
        to: 8,
        roles: ["user"],
      });
      expect(range.rows.map((message) => message.seq)).toEqual([5, 6, 7, 8]);
      expect(range.next).toBeNull();
      expect((await use.scoped.messages(conversationIdFor(session), { roles: ["tool"] })).rows).toEqual([]);
      const bare = await use.scoped.messages(conversationIdFor(session), {
        withoutContent: true,
        maxBytes: 1,
      });
      expect(bare.rows).toEqual((await readAll(session)).map((message) => ({ ...message, content: null })));
    });

    it("hands out originals as bytes that may change threads, without what was erased", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const contents = ["short", "日本語 and 😀", "long ".repeat(1000), new Uint8Array([0xff, 0, 0xfe])];
      await append(
        session,
        contents.map((content, i) => sampleMessage(`k${i}`, "", { content })),
      );
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [2], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      const { rows, next } = await use.scoped.originals(id, {});
      const kept = (await readAll(session)).filter((message) => message.content !== null);
      const bytes = (content: string | Uint8Array | null) => [...Buffer.from(content ?? "")];
      expect(rows.map(({ content, ...row }) => ({ ...row, content: [...content] }))).toEqual(
        kept.map(({ seq, role, format, tokenCount, createdAt, content }) => ({
          ...{ seq, role, format, tokenCount, createdAt },
          content: bytes(content),
          fileIds: [],
        })),
      );
      expect([rows.map(({ seq }) => seq), next]).toEqual([[1, 3, 4], null]);
      const paged: number[] = [];
      for await (const { seq } of everyRow((from) => use.scoped.originals(id, { from, to: 3, limit: 1 })))
        paged.push(seq);
      expect(paged).toEqual([1, 3]);
      structuredClone(rows, { transfer: [...new Set(rows.map(({ content }) => content.buffer))] });
    });

    it("measures a page by the originals, however small they are stored", async () => {
      const session = newSession();
      const content = "well compressed ".repeat(1000);
      await append(
        session,
        Array.from({ length: 5 }, (_, i) => sampleMessage(`k${i}`, "", { content })),
        {
          transcript: sampleTranscriptWrite(
            { lineCount: 3 },
            Array.from({ length: 3 }, (_, line) => sampleLine(line, { content: "x".repeat(5_000_000) })),
          ),
        },
      );
      const page = await use.scoped.messages(conversationIdFor(session), { maxBytes: content.length + 1 });
      expect([page.rows.length, page.next]).toEqual([2, 3]);
      const lines = await use.scoped.transcriptLines(conversationIdFor(session), { transcript: 1 });
      expect([lines.rows.length, lines.next]).toEqual([2, 2]);
      // The following tests dump the store repeatedly.
      const id = conversationIdFor(session);
      const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
      await use.scoped.commit([{ kind: "delete-conversation", id, audit }]);
    });
  });
}
