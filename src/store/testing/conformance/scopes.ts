import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import type { Scope } from "../../../types.ts";
import {
  AT,
  conversationIdFor,
  sampleAppend,
  sampleLine,
  sampleMessage,
  sampleTranscriptWrite,
} from "../sample.ts";
import { contextOf } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeScopes(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("scopes", () => {
    it("shows nothing of another tenant or agent and changes nothing there (promise: scoped)", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(session, [sampleMessage("a")], {
        transcript: sampleTranscriptWrite({ path: `/${session}` }, [sampleLine(0)]),
      });
      const strangers: Scope[] = [
        { tenant: "other", agent: "default" },
        { tenant: "default", agent: "other" },
      ];
      for (const scope of strangers) {
        const stranger = use.store.scoped(scope);
        expect(await stranger.conversation({ id })).toBeUndefined();
        expect(await stranger.conversation({ sessionId: session, sessionKey: null })).toBeUndefined();
        expect((await stranger.messages(id, {})).rows).toEqual([]);
        expect((await stranger.contextItems(id, {})).rows).toEqual([]);
        expect((await stranger.turns(id, {})).rows).toEqual([]);
        expect(await stranger.transcripts(id)).toEqual([]);
        expect(await stranger.transcriptsAt(`/${session}`)).toEqual([]);
        expect((await stranger.transcriptLines(id, { transcript: 1 })).rows).toEqual([]);
        expect((await stranger.conversations({ archived: true })).rows.map((row) => row.id)).not.toContain(
          id,
        );
        const audit = { at: AT, action: "x", conversation: id, detail: "{}" };
        const attacks = [
          sampleAppend(session, [sampleMessage("x")], { address: { id }, create: null }),
          { kind: "update-conversation", id, title: "mine", at: AT } as const,
          { kind: "delete-conversation", id, audit } as const,
          { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit } as const,
          {
            kind: "reindex",
            id,
            messages: [],
            enterContext: [],
            enterSummaries: [],
            dropOrdinals: [1024],
            eraseSummaries: [],
            dropSummaries: [],
            forgetMissing: false,
          } as const,
        ];
        for (const write of attacks)
          await expect(stranger.commit([write])).rejects.toSatisfy((error) =>
            isPalimpsestError(error, "not-found"),
          );
      }
      expect(await contextOf(use.scoped, id)).toEqual([1]);
    });

    it("lets two scopes use the same session id", async () => {
      const session = newSession();
      await append(session, [sampleMessage("a")]);
      const other = use.store.scoped({ tenant: "acme", agent: "bot" });
      const create = { id: `conv_${"e".repeat(16)}`, title: null, createdAt: AT };
      await other.commit([sampleAppend(session, [sampleMessage("a", "theirs")], { create })]);
      expect((await readAll(session))[0]?.content).not.toContain("theirs");
      expect(await use.store.scopes()).toContainEqual({ tenant: "acme", agent: "bot" });
    });
  });
}
