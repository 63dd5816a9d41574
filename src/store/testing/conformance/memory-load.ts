import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import { EVERY_SCOPE, type MemoryStore } from "../../memory-store.ts";
import type { DumpRow, Store } from "../../store.ts";
import { AT } from "../sample.ts";
import {
  later,
  remember,
  sampleDecision,
  sampleForget,
  sampleMemory,
  sampleRevise,
} from "../sample-memory.ts";
import { unitVector } from "../sample-vectors.ts";
import { collect, feed } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

const EVERY = { tenant: DEFAULT_SCOPE.tenant, scopes: EVERY_SCOPE } as const;

interface Pair {
  readonly here: MemoryStore;
  readonly there: MemoryStore;
  /** Loads the first store's rows into the second. */
  bring(): ReturnType<Store["load"]>;
  rowsOf(side: "here" | "there"): Promise<DumpRow[]>;
}

export function describeMemoryLoad(use: StoreInUse): void {
  describe("memories in a dump", () => {
    /** Two stores of their own. */
    async function inTwoStores(run: (pair: Pair) => Promise<void>): Promise<void> {
      const places = await Promise.all([use.create(), use.create()]);
      const [here, there] = [await places[0].open(), await places[1].open()];
      try {
        await run({
          here: here.memoriesOf(EVERY),
          there: there.memoriesOf(EVERY),
          bring: async () => there.load(feed(await collect(here.dump())), { replace: false }),
          rowsOf: (side) => collect((side === "here" ? here : there).dump()),
        });
      } finally {
        for (const store of [here, there]) await store.close();
        for (const place of places) await place.dispose();
      }
    }

    it("come with all that is known of them, and without what can be made again", async () => {
      await inTwoStores(async ({ here, there, bring, rowsOf }) => {
        const vectors = { model: "m", vectors: [unitVector(1, 8)] };
        const sources = [
          { conversation: "conv_00000000000000b1", firstSeq: 1, lastSeq: 2, kind: "origin" as const },
        ];
        const more = { factKey: "k", tags: ["a", "b"], sources, validUntil: later(9) };
        const first = await remember(here, sampleMemory("global", more), { vectors });
        await remember(here, sampleMemory("global", { factKey: "k", createdAt: later(1) }), {
          supersedes: [first.id],
        });
        const erased = await remember(here, sampleMemory("user:u"));
        await here.commit([
          { kind: "use", ids: [first.id], how: "injection", at: AT },
          { kind: "decide", decision: sampleDecision("global", { memory: first.id }) },
          { kind: "captured", conversation: "conv_00000000000000b1", from: 0, to: 2, at: AT },
          sampleForget([erased.id]),
        ]);
        expect(await bring()).toMatchObject({ memories: 3 });
        const rows = await rowsOf("here");
        expect(await rowsOf("there")).toEqual(rows);
        expect(rows.map(({ row }) => row)).toEqual([
          "memory",
          "memory",
          "memory",
          "decision",
          "capture",
          "audit",
        ]);
        expect(await there.vectorCounts()).toEqual([]);
        expect(await there.memoryEvents(first.id)).toEqual(await here.memoryEvents(first.id));
        expect((await there.memoryVersions(first.id)).length).toBe(2);
        expect(await bring()).toMatchObject({ memories: 0, alreadyThere: 0 });
        expect(await rowsOf("there")).toEqual(rows);
        expect((await remember(there, sampleMemory("global"))).number).toBe(3);
      });
    });

    it("keep the later of two that are in force under one key, and the other as superseded", async () => {
      for (const seconds of [5, -5])
        await inTwoStores(async ({ here, there, bring }) => {
          const mine = await remember(there, sampleMemory("global", { factKey: "k" }));
          const validFrom = later(seconds);
          const theirs = await remember(
            here,
            sampleMemory("global", { factKey: "k", validFrom, createdAt: validFrom }),
          );
          expect(await bring()).toMatchObject({ memories: 1 });
          const [winner, loser] = seconds > 0 ? [theirs, mine] : [mine, theirs];
          const { rows } = await there.memories({ factKey: "k" });
          expect(rows.map(({ id }) => id)).toEqual([winner.id]);
          expect(rows[0]?.supersedes).toEqual([loser.id]);
          expect((await there.memory(loser.id))?.supersededBy).toBe(winner.id);
          expect((await there.memory(loser.id))?.abstract).toBe(loser.abstract);
          await bring();
          expect((await there.memories({ factKey: "k" })).rows.map(({ id }) => id)).toEqual([winner.id]);
        });
    });

    it("take over what was changed elsewhere later, and keep what was changed here later", async () => {
      await inTwoStores(async ({ here, there, bring }) => {
        const memory = await remember(here, sampleMemory("global"));
        await bring();
        const revise = (tier: "core" | "peripheral", seconds: number) =>
          sampleRevise(
            memory.id,
            { tier },
            { event: { at: later(seconds), action: "promoted", detail: "{}" } },
          );
        await here.commit([revise("core", 1)]);
        await bring();
        expect((await there.memory(memory.id))?.tier).toBe("core");
        expect(await there.memoryEvents(memory.id)).toHaveLength(2);
        await there.commit([revise("peripheral", 2)]);
        await bring();
        expect((await there.memory(memory.id))?.tier).toBe("peripheral");
        const next = await remember(here, sampleMemory("global", { createdAt: later(1) }), {
          supersedes: [memory.id],
        });
        await bring();
        expect(await there.memory(memory.id)).toMatchObject({ tier: "peripheral", supersededBy: next.id });
      });
    });

    it("stay erased where they were erased, and so does what was made from them", async () => {
      await inTwoStores(async ({ here, there, bring, rowsOf }) => {
        const memory = await remember(here, sampleMemory("global", { abstract: "gone for good" }));
        await bring();
        await there.commit([sampleForget([memory.id])]);
        const relations = [{ type: "merged-from" as const, target: memory.id }];
        const merged = await remember(
          here,
          sampleMemory("global", { abstract: "gone for good too", relations }),
        );
        await bring();
        expect(await there.memory(merged.id)).toMatchObject({ abstract: "" });
        expect(JSON.stringify(await rowsOf("there"))).not.toContain("gone for good");
      });
    });

    it("stay in force where they came back for an erasure, whatever an older dump says", async () => {
      await inTwoStores(async ({ here, there, bring }) => {
        const memory = await remember(here, sampleMemory("global"));
        const relations = [{ type: "merged-from" as const, target: memory.id }];
        const merged = await remember(here, sampleMemory("global", { relations }), {
          supersedes: [memory.id],
        });
        await bring();
        await there.commit([sampleForget([merged.id])]);
        await bring();
        expect(await there.memory(memory.id)).toMatchObject({ supersededBy: null, invalidatedAt: null });
      });
    });

    it("are refused when one id has other words, and nothing is taken in", async () => {
      await inTwoStores(async ({ here, there, bring }) => {
        const memory = sampleMemory("global");
        await remember(here, sampleMemory("global"));
        await remember(here, { ...memory, content: "other words" });
        await remember(there, memory);
        await expect(bring()).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
        expect((await there.memoryCounts()).total).toBe(1);
      });
    });
  });
}
