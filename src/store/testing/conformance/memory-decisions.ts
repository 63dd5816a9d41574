import { beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { type DecisionQuery, EVERY_SCOPE, type MemoryStore } from "../../memory-store.ts";
import { AT } from "../sample.ts";
import { later, sampleDecision } from "../sample-memory.ts";
import type { StoreInUse } from "./store-in-use.ts";

const CONVERSATION = "conv_00000000000000d1";

export function describeMemoryDecisions(use: StoreInUse): void {
  describe("decisions of capturing", () => {
    let store: MemoryStore;

    beforeAll(() => {
      store = use.store.memoriesOf({ tenant: "decisions", scopes: EVERY_SCOPE });
    });

    it("are kept newest first, page by page, and filtered", async () => {
      const decisions = [
        sampleDecision("global", { reason: "first" }),
        sampleDecision("global", { stage: "dedup", verdict: "merge", memory: "mem_00000000000000aa" }),
        sampleDecision("user:u", { conversation: CONVERSATION, firstSeq: 2, lastSeq: 4, at: later(1) }),
        sampleDecision("global", { stage: "extract", verdict: "throttled", at: later(2) }),
      ];
      await store.commit(decisions.map((decision) => ({ kind: "decide", decision }) as const));
      const all = (await store.decisions({})).rows;
      expect(all.map(({ position, ...decision }) => decision)).toEqual(decisions.toReversed());
      const paged: unknown[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await store.decisions(cursor === "" ? { limit: 3 } : { limit: 3, cursor });
        paged.push(...page.rows);
        cursor = page.next;
      }
      expect(paged).toEqual(all);
      const verdicts = async (query: DecisionQuery) =>
        (await store.decisions(query)).rows.map((row) => row.verdict);
      expect(await verdicts({ stages: ["dedup", "extract"] })).toEqual(["throttled", "merge"]);
      expect(await verdicts({ verdicts: ["merge"] })).toEqual(["merge"]);
      expect(await verdicts({ conversation: CONVERSATION })).toEqual(["rejected"]);
      expect(await verdicts({ since: later(2) })).toEqual(["throttled"]);
    });

    it("go with how far a conversation was captured, which moves only from where it stood", async () => {
      const moved = (from: number, to: number) =>
        store.commit([
          { kind: "captured", conversation: CONVERSATION, from, to, at: AT },
          { kind: "decide", decision: sampleDecision("agent:moved") },
        ]);
      expect(await store.capturedTo(CONVERSATION)).toBe(0);
      expect(await moved(0, 4)).toEqual([{ kind: "captured" }, { kind: "decide" }]);
      await expect(moved(0, 9)).rejects.toSatisfy((error) => isPalimpsestError(error, "busy"));
      await moved(4, 9);
      expect(await store.capturedTo(CONVERSATION)).toBe(9);
      const only = use.store.memoriesOf({ tenant: "decisions", scopes: ["agent:moved"] });
      expect((await only.decisions({})).rows).toHaveLength(2);
    });
  });
}
