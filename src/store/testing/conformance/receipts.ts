import { describe, expect, it } from "vitest";
import { AT, conversationIdFor, sampleMessage } from "../sample.ts";
import { collect, feed } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeReceipts(use: StoreInUse): void {
  const { append, newSession } = use;

  describe("receipts", () => {
    const receiptsOf = async (session: string, query = {}) =>
      use.scoped.receipts(conversationIdFor(session), query);

    it("are kept with the first new message of a turn, and only once", async () => {
      const session = newSession();
      const later = "2026-03-01T10:00:01.234Z";
      const turn = [sampleMessage("a"), sampleMessage("b")];
      await append(session, turn, { turnKey: "t1", receipt: '{"saw": [ 1 ]}' });
      await append(session, turn, { turnKey: "t1", receipt: '{"saw":"another"}' });
      await append(session, turn, { receipt: '{"saw":"repeated"}' });
      await append(session, [], { receipt: '{"saw":"nothing said"}' });
      await append(session, [sampleMessage("b", "b", turn[1]), sampleMessage("c")], {
        receipt: '{"text":"\u00e9\\u0000"}',
        at: later,
      });
      await append(session, [sampleMessage("d")]);
      const kept = [
        { firstSeq: 1, at: AT, content: '{"saw": [ 1 ]}' },
        { firstSeq: 3, at: later, content: '{"text":"\u00e9\\u0000"}' },
      ];
      expect(await receiptsOf(session)).toEqual({ rows: kept, next: null });
      expect(await receiptsOf(session, { limit: 1 })).toEqual({ rows: kept.slice(0, 1), next: 3 });
      expect((await receiptsOf(session, { from: 2, to: 3 })).rows).toEqual(kept.slice(1));
      expect((await receiptsOf(session, { from: 4 })).rows).toEqual([]);
      const stranger = use.store.scoped({ tenant: "default", agent: "other" });
      expect((await stranger.receipts(conversationIdFor(session), {})).rows).toEqual([]);
    });

    it("go from the first erased message on, and do not come back with an older dump", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      for (const key of ["a", "b", "c", "d"])
        await append(session, [sampleMessage(key)], { receipt: JSON.stringify({ before: key }) });
      const before = await collect(use.store.dump());
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      const erase = {
        kind: "erase",
        id,
        seqs: [3, 2],
        retold: [],
        lines: [],
        title: null,
        at: AT,
        audit,
      } as const;
      await use.scoped.commit([erase]);
      expect((await receiptsOf(session)).rows.map((receipt) => receipt.firstSeq)).toEqual([1, 2]);
      const at = "2026-03-01T10:00:01.000Z";
      await append(session, [sampleMessage("e")], { receipt: "{}", at });
      await use.scoped.commit([{ ...erase, audit: { ...audit, at } }]);
      expect((await receiptsOf(session)).rows.map((receipt) => receipt.firstSeq)).toEqual([1, 2, 5]);
      await use.store.load(feed(before), { replace: false });
      expect((await receiptsOf(session)).rows.map((receipt) => receipt.firstSeq)).toEqual([1, 2, 5]);
    });
  });
}
