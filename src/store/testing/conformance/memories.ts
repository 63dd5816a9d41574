import { beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { stateOf } from "../../../memory-types.ts";
import { EVERY_SCOPE, type MemoryQuery, type MemoryStore } from "../../memory-store.ts";
import { AT } from "../sample.ts";
import {
  later,
  memoryIdFor,
  onlyMemoryResult,
  remember,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../sample-memory.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeMemories(use: StoreInUse): void {
  describe("memories", () => {
    let store: MemoryStore;
    let scopes = 0;
    const newScope = () => `project:memories-${++scopes}`;

    beforeAll(() => {
      store = use.store.memoriesOf({ tenant: "memories", scopes: EVERY_SCOPE });
    });

    async function listed(query: MemoryQuery): Promise<string[]> {
      const ids: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await store.memories(cursor === "" ? query : { ...query, cursor });
        ids.push(...page.rows.map(({ id }) => id));
        cursor = page.next;
      }
      return ids;
    }

    it("are read as they were written, and survive a restart", async () => {
      const scope = newScope();
      const memory = sampleMemory(scope, {
        abstract: "Prefers tea – 茶 🍵",
        factKey: "preferences:drink",
        tags: ["drink", "Tea"],
        support: [{ context: "evening", confirmations: 2, contradictions: 1, lastObservedAt: AT }],
        relations: [{ type: "contextualizes", target: "mem_00000000000000aa" }],
        sources: [
          { conversation: "conv_00000000000000aa", firstSeq: 3, lastSeq: 5, kind: "origin" },
          { conversation: "conv_00000000000000ab", firstSeq: 1, lastSeq: 1, kind: "support" },
        ],
        validUntil: later(60),
      });
      const stored = await remember(store, memory);
      const expected = {
        ...memory,
        number: 1,
        updatedAt: AT,
        invalidatedAt: null,
        supersedes: [],
        supersededBy: null,
        archivedAt: null,
        archivedReason: null,
        erasedAt: null,
        accessCount: 0,
        lastAccessedAt: null,
        injectedCount: 0,
        lastInjectedAt: null,
      };
      expect(stored).toEqual(expected);
      expect(await store.memory(memory.id)).toEqual(expected);
      expect(await store.memoryEvents(memory.id)).toEqual([
        { at: AT, action: "created", detail: '{"why":"test"}' },
      ]);
      await use.reopen();
      store = use.store.memoriesOf({ tenant: "memories", scopes: EVERY_SCOPE });
      expect(await store.memory(memory.id)).toEqual(expected);
      expect(await store.memory("mem_ffffffffffffffff")).toBeUndefined();
      expect(await store.memoryEvents("mem_ffffffffffffffff")).toEqual([]);
    });

    it("are numbered in their scope, and come in the order of the refs", async () => {
      const [a, b] = [newScope(), newScope()];
      const writes = [a, b, a, a].map((scope) => sampleRemember(sampleMemory(scope)));
      const results = await store.commit(writes);
      const numbers = results.map((result) => (result.kind === "remember" ? result.memory.number : 0));
      expect(numbers).toEqual([1, 1, 2, 3]);
      const refs = [
        { scope: a, number: 3 },
        { scope: a, number: 9 },
        { scope: b, number: 1 },
        { scope: "project:nowhere", number: 1 },
        { scope: a, number: 1 },
      ];
      const ids = [3, 1, 0].map((index) => writes[index]?.memory.id);
      expect((await store.memoriesAt(refs)).map(({ id }) => id)).toEqual(ids);
      const named = [writes[3], writes[0], writes[2], writes[0]].map((write) => write?.memory.id ?? "");
      const found = await store.memoriesById([...named, memoryIdFor("nobody"), "not an id"]);
      expect(found.map(({ id }) => id)).toEqual(named);
      expect(found[0]).toEqual(await store.memory(named[0] ?? ""));
      expect(await store.memoriesById([])).toEqual([]);
    });

    it("are told by when they changed last, whatever their state", async () => {
      const [scope, hidden] = [newScope(), newScope()];
      const own = use.store.memoriesOf({ tenant: "memories", scopes: [scope] });
      const [first, second] = [sampleMemory(scope), sampleMemory(scope, { createdAt: later(1) })];
      for (const memory of [first, second, sampleMemory(hidden)]) await remember(store, memory);
      const both = [
        { id: second.id, updatedAt: later(1) },
        { id: first.id, updatedAt: AT },
      ];
      expect(await own.changedMemories(10)).toEqual(both);
      expect(await own.changedMemories(1)).toEqual(both.slice(0, 1));
      const event = { at: later(2), action: "archived", detail: "{}" } as const;
      await store.commit([sampleRevise(first.id, { archivedAt: later(2) }, { event })]);
      expect(await own.changedMemories(1)).toEqual([{ id: first.id, updatedAt: later(2) }]);
      await store.commit([sampleForget([second.id])]);
      expect((await own.changedMemories(10)).map(({ id }) => id).toSorted()).toEqual(
        [first.id, second.id].toSorted(),
      );
    });

    it("are written together or not at all", async () => {
      const scope = newScope();
      const [first, second] = [sampleMemory(scope), sampleMemory(scope)];
      const twice = store.commit([sampleRemember(first), sampleRemember(second), sampleRemember(first)]);
      await expect(twice).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
      expect(await listed({ scopes: [scope] })).toEqual([]);
      expect((await remember(store, second)).number).toBe(1);
      expect(await store.commit([])).toEqual([]);
    });

    it("must have a first line, and vectors of one length", async () => {
      const scope = newScope();
      const bad = [
        sampleRemember(sampleMemory(scope, { abstract: "" })),
        sampleRemember(sampleMemory(scope, { importance: Number.NaN })),
        sampleRemember(sampleMemory(scope), { vectors: { model: "m", vectors: [] } }),
        sampleRemember(sampleMemory(scope), {
          vectors: { model: "m", vectors: [new Float32Array(4), new Float32Array(8)] },
        }),
      ];
      for (const write of bad)
        await expect(store.commit([write])).rejects.toSatisfy((error) =>
          isPalimpsestError(error, "invalid-input"),
        );
    });

    it("are listed newest first, page by page, also where times are equal", async () => {
      const scope = newScope();
      const memories = [0, 0, 0, 1, 1, 2, 3].map((seconds) =>
        sampleMemory(scope, { createdAt: later(seconds), validFrom: later(seconds) }),
      );
      await store.commit(memories.map((memory) => sampleRemember(memory)));
      const expected = memories
        .toSorted((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1))
        .map(({ id, createdAt }) => ({ id, createdAt }))
        .toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : 0))
        .map(({ id }) => id);
      for (const limit of [1, 2, 3, 7, 100])
        expect(await listed({ scopes: [scope], limit })).toEqual(expected);
      expect(await listed({ scopes: [scope], since: later(1), before: later(3) })).toEqual(
        expected.slice(1, 4),
      );
      const unreadable = store.memories({ cursor: "nonsense" });
      await expect(unreadable).rejects.toSatisfy((error) => isPalimpsestError(error, "invalid-input"));
    });

    it("are filtered by everything that is asked for together", async () => {
      const scope = newScope();
      const from = (conversation: string) => [
        { conversation, firstSeq: 1, lastSeq: 1, kind: "origin" as const },
      ];
      const memories = [
        sampleMemory(scope, { category: "profile", tags: ["a", "b"], tier: "core", sources: from("conv_1") }),
        sampleMemory(scope, { category: "events", tags: ["b"], origin: "model" }),
        sampleMemory(scope, {
          category: "events",
          ...{ tags: ["a", "b", "c"], factKey: "k", sources: [...from("conv_2"), ...from("conv_1")] },
        }),
      ];
      await store.commit(memories.map((memory) => sampleRemember(memory)));
      const found = async (query: MemoryQuery) =>
        (await listed({ scopes: [scope], ...query }))
          .map((id) => memories.findIndex((one) => one.id === id))
          .toSorted();
      expect(await found({ categories: ["events"] })).toEqual([1, 2]);
      expect(await found({ categories: ["profile", "events"], tags: ["a", "b"] })).toEqual([0, 2]);
      expect(await found({ tiers: ["core"] })).toEqual([0]);
      expect(await found({ origins: ["model", "rules"] })).toEqual([1]);
      expect(await found({ factKey: "k" })).toEqual([2]);
      expect(await found({ conversations: ["conv_1"] })).toEqual([0, 2]);
      expect(await found({ conversations: ["conv_2", "conv_3"], factKey: "k" })).toEqual([2]);
      expect(await found({ conversations: [] })).toEqual([]);
      expect(await found({ tags: ["a"], categories: ["events"], tiers: ["working"] })).toEqual([2]);
      expect(await found({ categories: [] })).toEqual([]);
      expect(await found({ tags: ["A"] })).toEqual([]);
    });

    it("are known by their state, now and at an earlier time", async () => {
      const scope = newScope();
      const old = await remember(store, sampleMemory(scope));
      const aside = await remember(store, sampleMemory(scope));
      const next = sampleMemory(scope, { createdAt: later(10), validFrom: later(5) });
      await remember(store, next, { supersedes: [old.id] });
      const archived = { archivedAt: later(20), archivedReason: "faded" };
      const event = { at: later(20), action: "archived", detail: "{}" } as const;
      const [revised] = await store.commit([sampleRevise(aside.id, archived, { event })]);
      expect(revised).toMatchObject({ memory: { ...archived, updatedAt: later(20) } });
      expect(await listed({ scopes: [scope] })).toEqual([next.id]);
      expect(await listed({ scopes: [scope], states: ["superseded"] })).toEqual([old.id]);
      expect(await listed({ scopes: [scope], states: ["archived"] })).toEqual([aside.id]);
      expect(await listed({ scopes: [scope], states: [] })).toEqual([]);
      const sorted = (ids: string[]) => ids.toSorted();
      const at = async (seconds: number) => sorted(await listed({ scopes: [scope], at: later(seconds) }));
      expect(await at(-1)).toEqual([]);
      expect(await at(0)).toEqual(sorted([old.id, aside.id]));
      expect(await at(9)).toEqual(sorted([old.id, aside.id]));
      expect(await at(10)).toEqual(sorted([next.id, aside.id]));
      expect(await at(20)).toEqual([next.id]);
      await store.commit([sampleRevise(aside.id, { archivedAt: null, archivedReason: null })]);
      expect(sorted(await listed({ scopes: [scope] }))).toEqual(sorted([next.id, aside.id]));
    });

    it("are revised without a change of their words, and only by who knows them", async () => {
      const scope = newScope();
      const memory = await remember(store, sampleMemory(scope));
      const changes = {
        category: "patterns",
        tier: "core",
        importance: 0.9,
        confidence: 1,
        temporalType: "dynamic",
        factKey: "k",
        tags: ["x"],
        support: [{ context: "work", confirmations: 1, contradictions: 0, lastObservedAt: AT }],
        validUntil: later(100),
      } as const;
      const source = {
        conversation: "conv_00000000000000aa",
        firstSeq: 1,
        lastSeq: 2,
        kind: "support",
      } as const;
      const relation = { type: "contradicts", target: "mem_00000000000000aa" } as const;
      const event = { at: later(1), action: "supported", detail: '{"n":1}' } as const;
      const more = { addSources: [source], addRelations: [relation], unchangedSince: AT, event };
      const { memory: revised } = onlyMemoryResult(
        await store.commit([sampleRevise(memory.id, changes, more)]),
        "revise",
      );
      const expected = {
        ...memory,
        ...changes,
        sources: [source],
        relations: [relation],
        updatedAt: later(1),
      };
      expect(revised).toEqual(expected);
      expect(await store.memory(memory.id)).toEqual(expected);
      // Repeating the same revision adds no source or relation twice.
      await store.commit([sampleRevise(memory.id, {}, { ...more, unchangedSince: later(1) })]);
      expect(await store.memory(memory.id)).toEqual(expected);
      expect((await store.memoryEvents(memory.id)).map(({ action }) => action)).toEqual([
        "created",
        "supported",
        "supported",
      ]);
      const stale = store.commit([sampleRevise(memory.id, { tier: "working" }, { unchangedSince: AT })]);
      await expect(stale).rejects.toSatisfy((error) => isPalimpsestError(error, "busy"));
      const unknown = store.commit([sampleRevise("mem_ffffffffffffffff", { tier: "core" })]);
      await expect(unknown).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
    });

    it("count how often they were of use, and pass over unknown ones", async () => {
      const scope = newScope();
      const [a, b] = [await remember(store, sampleMemory(scope)), await remember(store, sampleMemory(scope))];
      const ids = [a.id, b.id, "mem_ffffffffffffffff"];
      const [used] = await store.commit([{ kind: "use", ids, how: "access", at: later(2) }]);
      expect(used).toEqual({ kind: "use", memories: 2 });
      await store.commit([{ kind: "use", ids: [a.id], how: "access", at: later(1) }]);
      await store.commit([{ kind: "use", ids: [a.id], how: "injection", at: later(3) }]);
      expect(await store.memory(a.id)).toEqual({
        ...a,
        accessCount: 2,
        lastAccessedAt: later(2),
        injectedCount: 1,
        lastInjectedAt: later(3),
      });
      expect(await store.memory(b.id)).toMatchObject({ accessCount: 1, injectedCount: 0, updatedAt: AT });
    });

    it("are found by what their first line tells, in their scope and in force", async () => {
      const [scope, elsewhere] = [newScope(), newScope()];
      const add = (abstract: string, where = scope) => remember(store, sampleMemory(where, { abstract }));
      const [tea, again] = [
        await add("Prefers tea in the morning."),
        await add("Preferring the tea, morning"),
      ];
      const [aside, gone] = [await add("prefers TEA in a morning"), await add("Prefers tea in the morning!")];
      await add("Prefers tea, not in the morning");
      await add("Prefers tea in the morning", elsewhere);
      await store.commit([sampleRevise(aside.id, { archivedAt: AT }), sampleForget([gone.id])]);
      const saying = (line: string, more: MemoryQuery = {}) =>
        listed({ scopes: [scope], saying: line, ...more });
      expect((await saying("Ｐｒｅｆｅｒｓ tea in the morning")).toSorted()).toEqual(
        [tea.id, again.id].toSorted(),
      );
      expect(await saying("prefers tea", { states: ["archived"] })).toEqual([]);
      expect(await saying("prefers tea morning", { states: ["archived"] })).toEqual([aside.id]);
      expect(await saying("", { states: ["erased"] })).toEqual([]);
      expect(await saying("drinks tea in the morning")).toEqual([]);
    });

    it("are found by the messages they came from", async () => {
      const scope = newScope();
      const conversation = "conv_00000000000000f1";
      const from = (firstSeq: number, lastSeq: number, kind: "origin" | "support" = "origin") =>
        sampleMemory(scope, { sources: [{ conversation, firstSeq, lastSeq, kind }] });
      const [a, b, c] = [from(5, 9), from(1, 4, "support"), from(10, 12)];
      await store.commit([a, b, c, sampleMemory(scope)].map((memory) => sampleRemember(memory)));
      const found = async (low: number, high: number) =>
        (await store.memoriesFrom(conversation, { from: low, to: high })).map(({ id }) => id);
      expect(await found(4, 10)).toEqual([b.id, a.id, c.id]);
      expect(await found(5, 9)).toEqual([a.id]);
      expect(await found(13, 99)).toEqual([]);
      expect(await store.memoriesFrom("conv_00000000000000f2", { from: 1, to: 99 })).toEqual([]);
    });

    it("are found by ids that are nearly right", async () => {
      const scope = newScope();
      const id = "mem_1234567890abcdef";
      await remember(store, sampleMemory(scope, { id }));
      for (const slip of ["mem_1234567890abcdee", "mem_2234567890abcdef", "mem_1234", id])
        expect(await store.similarMemoryIds(slip)).toEqual([id]);
      expect(await store.similarMemoryIds("mem_ffffffffffffffff")).toEqual([]);
      expect(await store.similarMemoryIds("mem_%")).toEqual([]);
    });

    it("are counted", async () => {
      const counted = use.store.memoriesOf({ tenant: "counted", scopes: EVERY_SCOPE });
      const [a, b] = [
        sampleMemory("global", { tier: "core" }),
        sampleMemory("user:u", { category: "cases" }),
      ];
      await counted.commit([a, b, sampleMemory("global")].map((memory) => sampleRemember(memory)));
      await counted.commit([sampleRevise(b.id, { archivedAt: AT })]);
      const counts = await counted.memoryCounts();
      expect(counts).toMatchObject({
        total: 3,
        byState: { active: 2, superseded: 0, archived: 1, erased: 0 },
        byCategory: { profile: 0, preferences: 2, entities: 0, events: 0, cases: 0, patterns: 0 },
        byTier: { core: 1, working: 1, peripheral: 0 },
        byScope: [{ scope: "global", active: 2 }],
      });
      expect((await use.store.info()).memories).toBeGreaterThanOrEqual(3);
      const { rows } = await counted.memories({ states: ["active", "archived"] });
      expect(rows.map(stateOf).toSorted()).toEqual(["active", "active", "archived"]);
    });
  });
}
