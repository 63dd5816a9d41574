import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import {
  AT,
  conversationIdFor,
  onlyResult,
  sampleLine,
  sampleMessage,
  sampleTranscriptWrite,
} from "../sample.ts";
import { collect, contextOf, verifyChain } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeErasure(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("erasure", () => {
    it("removes content for good and keeps the chain whole (promise: erasable)", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const secret = sampleMessage("sha256:content-key:1", "my secret", {
        parts: [{ type: "tool", toolCallId: "call-1", toolName: "shell", toolStatus: "pending" }],
      });
      await append(session, [sampleMessage("a"), secret, sampleMessage("c")], {
        transcript: sampleTranscriptWrite({ lastLineHash: "cd".repeat(32) }, [
          sampleLine(0, { kind: "event", content: "my secret again" }),
          sampleLine(1, {
            kind: "message",
            content: null,
            messageKey: secret.key,
            hash: "cd".repeat(32),
          }),
        ]),
      });
      const audit = { at: AT, action: "erase", conversation: id, detail: '{"messages":1}' };
      const write = {
        kind: "erase",
        id,
        seqs: [2],
        retold: [],
        lines: [{ transcript: 1, line: 0 }],
        title: null,
        at: AT,
        audit,
      } as const;
      expect(onlyResult(await use.scoped.commit([write]), "erase")).toEqual({
        kind: "erase",
        messages: 1,
        summaries: 0,
        lines: 1,
      });
      const erased = (await readAll(session))[1];
      expect(erased).toMatchObject({
        content: null,
        salt: null,
        key: "erased:2",
        excluded: "erased",
        erasedAt: AT,
      });
      expect(erased?.parts).toEqual([{ type: "tool", toolCallId: null, toolName: null, toolStatus: null }]);
      expect(await contextOf(use.scoped, id)).toEqual([1, 3]);
      const lines = (await use.scoped.transcriptLines(id, { transcript: 1 })).rows;
      expect(lines).toMatchObject([
        { kind: "erased", content: null, hash: null },
        { kind: "message", seq: 2, hash: null },
      ]);
      expect((await use.scoped.transcripts(id))[0]?.lastLineHash).toBeNull();
      expect(await verifyChain(use.scoped, id)).toBe(3);
      await use.store.compactFiles();
      const everything = JSON.stringify(await collect(use.store.dump()));
      expect(everything).not.toContain("my secret");
    });

    it("stays out of the context and is not brought back by a replay", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const message = sampleMessage("t#0", "gone");
      await append(session, [message], { turnKey: "t" });
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      expect((await append(session, [message], { turnKey: "t" })).status).toBe("duplicate");
      await append(session, [], { enterContext: [1], leaveContext: [{ seq: 1, reason: "branch" }] });
      expect(await contextOf(use.scoped, id)).toEqual([]);
      expect((await readAll(session))[0]).toMatchObject({ content: null, excluded: "erased" });
    });

    it("is recognised when its turn comes again, also when its key went with its content", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const messages = [
        sampleMessage("sha256:one:1", "one"),
        sampleMessage("t#1"),
        sampleMessage("sha256:two:1", "two"),
      ];
      await append(session, [sampleMessage("before")]);
      await append(session, messages, { turnKey: "t" });
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [2, 4], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      const replay = await append(session, messages, { turnKey: "t" });
      expect(replay.status).toBe("duplicate");
      expect(replay.messages).toEqual([
        { key: "erased:2", seq: 2, existed: true },
        { key: "t#1", seq: 3, existed: true },
        { key: "erased:4", seq: 4, existed: true },
      ]);
      expect((await readAll(session)).map((message) => message.content === null)).toEqual([
        false,
        true,
        false,
        true,
      ]);
      const other = [...messages.slice(0, 2), sampleMessage("sha256:three:1", "three")];
      await expect(append(session, other, { turnKey: "t" })).rejects.toSatisfy((error) =>
        isPalimpsestError(error, "conflict"),
      );
    });
  });
}
