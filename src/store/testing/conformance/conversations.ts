import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
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
import { allConversations } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeConversations(use: StoreInUse): void {
  const { append, newSession } = use;

  describe("conversations", () => {
    it("finds a session by its key first and adopts one that was known by its id", async () => {
      const session = newSession();
      await append(session, [sampleMessage("a")]);
      const address = { sessionId: session, sessionKey: `key-${session}` };
      const adopted = await append(session, [sampleMessage("b")], { address });
      expect(adopted.conversation.id).toBe(conversationIdFor(session));
      expect(adopted.conversation.sessionKey).toBe(`key-${session}`);
      const later = await append(session, [sampleMessage("c")], {
        address: { sessionId: "restarted", sessionKey: `key-${session}` },
      });
      expect(later.conversation).toMatchObject({ id: conversationIdFor(session), sessionId: "restarted" });
    });

    it("notes on opening one whether its title was given", async () => {
      const titled = async (more: { titleIsAutomatic?: boolean }) => {
        const session = newSession();
        const create = { id: conversationIdFor(session), title: "Named", createdAt: AT, ...more };
        return (await append(session, [sampleMessage("a")], { create })).conversation;
      };
      expect(await titled({})).toMatchObject({ title: "Named", titleIsAutomatic: true });
      expect(await titled({ titleIsAutomatic: true })).toMatchObject({ titleIsAutomatic: true });
      const given = await titled({ titleIsAutomatic: false });
      expect(given).toMatchObject({ title: "Named", titleIsAutomatic: false });
      expect(await use.scoped.conversation({ id: given.id })).toEqual(given);
    });

    it("renames, archives, and refuses to bring back a second active one for a session", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a")]);
      const renamed = onlyResult(
        await use.scoped.commit([{ kind: "update-conversation", id, title: "Named", at: AT }]),
        "update-conversation",
      );
      expect(renamed.conversation).toMatchObject({
        title: "Named",
        titleIsAutomatic: false,
        archivedAt: null,
      });
      await use.scoped.commit([{ kind: "update-conversation", id, archivedAt: AT, at: AT }]);
      expect((await allConversations(use.scoped, false)).has(id)).toBe(false);
      expect((await allConversations(use.scoped, true)).has(id)).toBe(true);
      const second = `conv_${"f".repeat(16)}`;
      await append(session, [sampleMessage("a")], { create: { id: second, title: null, createdAt: AT } });
      const back = use.scoped.commit([{ kind: "update-conversation", id, archivedAt: null, at: AT }]);
      await expect(back).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
    });

    it("deletes one whole and writes it down", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a"), sampleMessage("b")], {
        turnKey: "t",
        receipt: "{}",
        transcript: sampleTranscriptWrite({ path: `/${session}` }, [sampleLine(0)]),
      });
      await use.scoped.commit([samplePublish(id, sampleSummary([1]))]);
      const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
      const result = onlyResult(
        await use.scoped.commit([{ kind: "delete-conversation", id, audit }]),
        "delete-conversation",
      );
      expect(result.messages).toBe(2);
      expect(await use.scoped.conversation({ id })).toBeUndefined();
      expect(await use.scoped.transcriptsAt(`/${session}`)).toEqual([]);
      expect((await use.scoped.receipts(id, {})).rows).toEqual([]);
      expect((await use.scoped.compactionEvents(id, {})).rows).toEqual([]);
      const written = { ...audit, detail: expect.stringContaining('"certificate":') };
      expect((await use.scoped.auditLog({})).rows).toContainEqual(written);
      const [mark] = await use.scoped.auditMarks(0, 1);
      expect(mark).toMatchObject({ action: "delete-conversation", conversation: id });
      const position = mark?.position ?? 0;
      expect(await use.scoped.auditMarks(position, 10)).toEqual([]);
      expect(await use.scoped.auditMarks(position - 1, 10)).toEqual([mark]);
      expect(await use.store.scoped({ ...use.scoped.scope, agent: "other" }).auditMarks(0, 10)).toEqual([]);
    });
  });
}
