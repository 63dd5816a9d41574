import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { isGenuine, readCertificate } from "../../rules/certificate.ts";
import {
  AT,
  conversationIdFor,
  onlyResult,
  sampleLine,
  sampleMessage,
  samplePublish,
  sampleSummary,
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
        transcript: sampleTranscriptWrite({ readHash: "cd".repeat(32) }, [
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
        certificate: expect.stringMatching(/^[0-9a-f]{64}$/),
        messages: 1,
        summaries: 0,
        lines: 1,
        memories: 0,
        restored: [],
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
      expect((await use.scoped.transcripts(id))[0]?.readHash).toBeNull();
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

    it("is not stored again as another version of its key, and its line comes without a hash", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const [secret, other] = [sampleMessage("a", "my secret"), sampleMessage("b", "other")];
      await append(session, [secret, other]);
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      const hash = "cd".repeat(32);
      const again = await append(session, [sampleMessage("x"), { ...other }, { ...secret }], {
        onOtherContent: "branch",
        afterSeq: 0,
        transcript: sampleTranscriptWrite({ path: `/${session}`, readHash: hash }, [
          sampleLine(0, { kind: "message", content: null, messageKey: "b", hash: "ab".repeat(32) }),
          sampleLine(1, { kind: "message", content: null, messageKey: "a", hash }),
        ]),
      });
      expect(again.messages).toEqual([
        { key: "x", seq: 3, existed: false, erased: false },
        { key: "b~2", seq: 4, existed: false, erased: false },
        { key: "a", seq: 1, existed: true, erased: true },
      ]);
      const lines = (await use.scoped.transcriptLines(id, { transcript: 1 })).rows;
      expect(lines).toMatchObject([
        { seq: 4, hash: "ab".repeat(32) },
        { seq: 1, hash: null },
      ]);
      expect((await use.scoped.transcripts(id))[0]?.readHash).toBeNull();
      expect(await contextOf(use.scoped, id)).toEqual([2, 3, 4]);
      expect(JSON.stringify(await collect(use.store.dump()))).not.toContain("my secret");
    });

    it("gives way to another version of its key that has what comes", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const later = sampleMessage("a", "later");
      await append(session, [sampleMessage("a", "first")]);
      await append(session, [later], { onOtherContent: "branch" });
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      const found = await append(session, [{ ...later }], { onOtherContent: "branch" });
      expect(found.messages).toEqual([{ key: "a~2", seq: 2, existed: true, erased: false }]);
      const gone = await append(session, [sampleMessage("a", "first")], { onOtherContent: "branch" });
      expect(gone.messages).toEqual([{ key: "a", seq: 1, existed: true, erased: true }]);
      await expect(append(session, [sampleMessage("a", "any")])).resolves.toMatchObject({
        messages: [{ seq: 1, existed: true, erased: true }],
      });
    });

    it("leaves alone what another version of its key says, also in another place", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const later = sampleMessage("a", "later");
      await append(session, [sampleMessage("a", "first")]);
      await append(session, [later], { onOtherContent: "branch" });
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      const hash = "ab".repeat(32);
      const moved = await append(session, [sampleMessage("a", "first"), { ...later }], {
        onOtherContent: "branch",
        afterSeq: 2,
        transcript: sampleTranscriptWrite({ path: `/${session}`, readHash: hash }, [
          sampleLine(0, { kind: "message", content: null, messageKey: "a", hash: "cd".repeat(32) }),
          sampleLine(1, { kind: "message", content: null, messageKey: "a", hash }),
        ]),
      });
      expect(moved.messages).toEqual([
        { key: "a", seq: 1, existed: true, erased: true },
        { key: "a~3", seq: 3, existed: false, erased: false },
      ]);
      expect((await use.scoped.transcriptLines(id, { transcript: 1 })).rows).toMatchObject([
        { seq: 1, hash: null },
        { seq: 3, hash },
      ]);
    });

    it("comes as erased in another conversation, where its salt was given (promise: copies)", async () => {
      const [session, fork] = [newSession(), newSession()];
      const id = conversationIdFor(session);
      const key = `entry-${"0a".repeat(12)}-${session}`;
      await append(session, [sampleMessage(key, "my secret donor")]);
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      const erase = {
        kind: "erase",
        id,
        seqs: [1],
        retold: [],
        lines: [],
        title: null,
        at: AT,
        audit,
      } as const;
      await use.scoped.commit([{ ...erase, salt: "5a".repeat(16) }]);
      const hash = "ef".repeat(32);
      const forked = await append(
        fork,
        [sampleMessage(key, "my secret donor"), sampleMessage(`own ${fork}`)],
        {
          onOtherContent: "branch",
          transcript: sampleTranscriptWrite({ path: `/${fork}` }, [
            sampleLine(0, { kind: "message", content: null, messageKey: key, hash }),
          ]),
        },
      );
      expect(forked.messages).toMatchObject([
        { seq: 1, existed: false, erased: true },
        { seq: 2, existed: false, erased: false },
      ]);
      const forkId = conversationIdFor(fork);
      expect((await readAll(fork))[0]).toMatchObject({
        content: null,
        salt: null,
        excluded: "erased",
        erasedAt: AT,
      });
      expect(await contextOf(use.scoped, forkId)).toEqual([2]);
      expect((await use.scoped.transcriptLines(forkId, { transcript: 1 })).rows).toMatchObject([
        { hash: null },
      ]);
      expect(await verifyChain(use.scoped, forkId)).toBe(2);
      expect(JSON.stringify(await collect(use.store.dump()))).not.toContain("secret donor");
      const other = await append(newSession(), [sampleMessage(`${key}x`, "not a secret")]);
      expect(other.messages).toMatchObject([{ erased: false }]);
    });

    it("takes the text of a summary that repeats it, where no message goes", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a"), sampleMessage("b"), sampleMessage("c")]);
      const summary = { ...sampleSummary([1, 2]), content: "my secret, told again" };
      await use.scoped.commit([samplePublish(id, summary)]);
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      const retelling = {
        kind: "erase",
        id,
        seqs: [],
        retold: [1],
        lines: [],
        title: null,
        at: AT,
        audit,
      } as const;
      expect(onlyResult(await use.scoped.commit([retelling]), "erase")).toMatchObject({
        summaries: 1,
        messages: 0,
      });
      expect((await use.scoped.summary(summary.id))?.content).toBeNull();
      expect(await contextOf(use.scoped, id)).toEqual([1, 2, 3]);
    });

    it("is chained to the erasure before it in its scope", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a"), sampleMessage("b")]);
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      const erase = { kind: "erase", id, retold: [], lines: [], title: null, at: AT, audit } as const;
      const first = onlyResult(await use.scoped.commit([{ ...erase, seqs: [1] }]), "erase");
      const second = onlyResult(await use.scoped.commit([{ ...erase, seqs: [2] }]), "erase");
      const log = (await use.scoped.auditLog({ limit: 100_000 })).rows;
      const written = log.flatMap((record) => readCertificate(record) ?? []);
      const digests = (await readAll(session)).map(({ digest }) => digest);
      expect(written.at(-1)).toMatchObject({
        certificate: second.certificate,
        previous: first.certificate,
        erased: [[2, digests[1]]],
      });
      expect(
        log.every((record) => readCertificate(record) === null || isGenuine(use.scoped.scope, record)),
      ).toBe(true);
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
        { key: "erased:2", seq: 2, existed: true, erased: true },
        { key: "t#1", seq: 3, existed: true, erased: false },
        { key: "erased:4", seq: 4, existed: true, erased: true },
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
