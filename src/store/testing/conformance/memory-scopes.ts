import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { EVERY_SCOPE, type MemoryAccess, type MemoryStore } from "../../memory-store.ts";
import { AT } from "../sample.ts";
import {
  remember,
  sampleDecision,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../sample-memory.ts";
import type { StoreInUse } from "./store-in-use.ts";

const OWN = "agent:own";
const OTHER = "agent:other";
const CONVERSATION = "conv_00000000000000c1";
const UNIT = Float32Array.of(1, 0, 0, 0);

export function describeMemoryScopes(use: StoreInUse): void {
  describe("memory scopes", () => {
    const open = (scopes: MemoryAccess["scopes"], tenant = "memory-scopes") =>
      use.store.memoriesOf({ tenant, scopes });

    /** The answers to every call about this memory. */
    async function seen(store: MemoryStore, id: string, scope: string) {
      const ref = { scope, number: 1 };
      const index = await open(EVERY_SCOPE).memoryIndex();
      return {
        memory: (await store.memory(id)) !== undefined,
        byId: (await store.memoriesById([id])).length > 0,
        at: (await store.memoriesAt([ref])).length > 0,
        listed: (await store.memories({ limit: 1_000 })).rows.some((row) => row.id === id),
        asked: (await store.memories({ scopes: [scope] })).rows.some((row) => row.id === id),
        from: (await store.memoriesFrom(CONVERSATION, { from: 1, to: 9 })).some((row) => row.id === id),
        versions: (await store.memoryVersions(id)).length > 0,
        similar: (await store.similarMemoryIds(id)).includes(id),
        events: (await store.memoryEvents(id)).length > 0,
        counted: (await store.memoryCounts()).byScope.some((row) => row.scope === scope),
        decisions: (await store.decisions({})).rows.some((row) => row.scope === scope),
        nearest: (await store.nearestMemories({ model: "s", vector: UNIT, limit: 50 })).some(
          (near) => near.ref.scope === scope,
        ),
        near:
          (await store.nearestMemories({ model: "s", vector: UNIT, limit: 50, scopes: [scope] })).length > 0,
        vectors: (await store.memoryVectors("s", [ref]))[0]?.length === 1,
        without: (await store.memoriesWithoutVectors("unused", 1_000)).some((row) => row.id === id),
        segments: (await store.memoryIndex()).segments.some((segment) => segment.scope === scope),
        contents:
          (
            await store.memorySegments(
              index.segments.filter((one) => one.scope === scope).map((one) => one.id),
            )
          ).length > 0,
      };
    }

    it("show only what lies in them, by every way of asking (promise: scoped)", async () => {
      const every = open(EVERY_SCOPE);
      const sources = [{ conversation: CONVERSATION, firstSeq: 1, lastSeq: 2, kind: "origin" as const }];
      const vectors = { model: "s", vectors: [UNIT] };
      const [own, other] = [
        await remember(every, sampleMemory(OWN, { sources }), { vectors }),
        await remember(every, sampleMemory(OTHER, { sources }), { vectors }),
      ];
      await every.commit(
        [OWN, OTHER].flatMap((scope) => [
          { kind: "decide", decision: sampleDecision(scope) } as const,
          {
            kind: "memory-index",
            replaces: [],
            segment: { scope, first: 1, last: 1, erased: 0, content: Uint8Array.of(1) },
          } as const,
        ]),
      );
      const all = (value: boolean, answer: object) => expect(answer).toEqual(mapValues(answer, value));
      all(true, await seen(open([OWN]), own.id, OWN));
      all(true, await seen(every, other.id, OTHER));
      all(true, await seen(open([OTHER, OWN]), other.id, OTHER));
      all(false, await seen(open([OWN]), other.id, OTHER));
      all(false, await seen(open([]), own.id, OWN));
      all(false, await seen(open(EVERY_SCOPE, "someone-else"), own.id, OWN));
      all(false, await seen(open([OWN], "someone-else"), own.id, OWN));
      expect(await open([]).vectorCounts()).toEqual([]);
      expect(await open([OWN]).vectorCounts()).toEqual([
        { model: "s", dimensions: 4, memories: 1, vectors: 1 },
      ]);
      expect((await open([]).memoryIndex()).unindexed).toEqual([]);
    });

    it("let nothing outside be changed", async () => {
      const every = open(EVERY_SCOPE);
      const theirs = await remember(every, sampleMemory(OTHER, { factKey: "theirs" }));
      const before = await every.memory(theirs.id);
      for (const stranger of [open([OWN]), open([]), open(EVERY_SCOPE, "someone-else")]) {
        const refused = [
          sampleRevise(theirs.id, { tier: "core" }),
          sampleRemember(sampleMemory(OTHER), { supersedes: [theirs.id] }),
        ];
        for (const write of refused)
          await expect(stranger.commit([write])).rejects.toSatisfy(
            (error) => isPalimpsestError(error, "not-found") || isPalimpsestError(error, "busy"),
          );
        const ref = { scope: OTHER, number: theirs.number };
        const vectors = { model: "s", vectors: [UNIT] };
        const passedOver = await stranger.commit([
          { kind: "use", ids: [theirs.id], how: "access", at: AT },
          { kind: "vectors", ref, vectors },
          sampleForget([theirs.id]),
        ]);
        expect(passedOver).toEqual([
          { kind: "use", memories: 0 },
          { kind: "vectors", written: false },
          { kind: "erase-memories", erased: [], restored: [] },
        ]);
      }
      expect(await every.memory(theirs.id)).toEqual(before);
      expect(await every.memoryVectors("s", [{ scope: OTHER, number: theirs.number }])).toEqual([[]]);
    });

    it("let nothing be written where there are none", async () => {
      const nobody = open([]);
      const writes = [
        sampleRemember(sampleMemory("global")),
        { kind: "decide", decision: sampleDecision("global") } as const,
        { kind: "captured", conversation: CONVERSATION, from: 0, to: 3, at: AT } as const,
        {
          kind: "memory-index",
          replaces: [],
          segment: { scope: OWN, first: 50, last: 51, erased: 0, content: Uint8Array.of(1) },
        } as const,
      ];
      for (const write of writes)
        await expect(nobody.commit([write])).rejects.toSatisfy((error) =>
          isPalimpsestError(error, "not-found"),
        );
      expect(await open(EVERY_SCOPE).capturedTo(CONVERSATION)).toBe(0);
    });

    it("keep tenants apart that use the same names", async () => {
      const [one, two] = [open(["global"], "tenant-1"), open(["global"], "tenant-2")];
      await remember(one, sampleMemory("global", { factKey: "k" }));
      expect((await remember(two, sampleMemory("global", { factKey: "k" }))).number).toBe(1);
      expect((await one.memoryCounts()).total).toBe(1);
      await one.commit([{ kind: "captured", conversation: CONVERSATION, from: 0, to: 3, at: AT }]);
      expect(await one.capturedTo(CONVERSATION)).toBe(3);
      expect(await two.capturedTo(CONVERSATION)).toBe(0);
    });
  });
}

function mapValues(answer: object, value: boolean): Record<string, boolean> {
  return Object.fromEntries(Object.keys(answer).map((key) => [key, value]));
}
