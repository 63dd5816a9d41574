import { beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import { EVERY_SCOPE, type MemoryStore } from "../../memory-store.ts";
import { AT, conversationIdFor, onlyResult, sampleMessage } from "../sample.ts";
import {
  later,
  onlyMemoryResult,
  remember,
  sampleDecision,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../sample-memory.ts";
import { unitVector } from "../sample-vectors.ts";
import { collect } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

/** Text that nothing else in the store contains. */
const SECRET = "xylophone-quagmire";

export function describeMemoryErasure(use: StoreInUse): void {
  describe("erasure of memories", () => {
    let store: MemoryStore;
    let scopes = 0;
    const newScope = () => `project:erasure-${++scopes}`;

    beforeAll(() => {
      store = use.store.memoriesOf({ tenant: DEFAULT_SCOPE.tenant, scopes: EVERY_SCOPE });
    });

    const forget = async (...ids: string[]) =>
      onlyMemoryResult(await store.commit([sampleForget(ids)]), "erase-memories").erased;

    const secretMemory = (scope: string) =>
      sampleMemory(scope, {
        abstract: `${SECRET} abstract`,
        overview: `${SECRET} overview`,
        content: `${SECRET} content`,
        factKey: `${SECRET} key`,
        tags: [`${SECRET} tag`],
        support: [{ context: `${SECRET} context`, confirmations: 1, contradictions: 0, lastObservedAt: AT }],
        sources: [{ conversation: "conv_00000000000000e1", firstSeq: 1, lastSeq: 2, kind: "support" }],
        relations: [{ type: "contextualizes", target: "mem_00000000000000ee" }],
      });

    async function conversationWith(messages: number): Promise<string> {
      const session = use.newSession();
      await use.append(
        session,
        Array.from({ length: messages }, (_, i) => sampleMessage(`m${i + 1}`)),
      );
      return conversationIdFor(session);
    }

    const madeFrom = (
      conversation: string,
      firstSeq: number,
      lastSeq: number,
      kind: "origin" | "support" = "origin",
    ) => sampleMemory(newScope(), { sources: [{ conversation, firstSeq, lastSeq, kind }] });

    it("leaves a tombstone and not one word, vector or bit (promise: erasable)", async () => {
      const scope = newScope();
      const vector = unitVector(4242, 384);
      const memory = await remember(store, secretMemory(scope), {
        vectors: { model: "erasure", vectors: [vector] },
        detail: JSON.stringify({ why: SECRET }),
      });
      await store.commit([
        sampleRevise(memory.id, { archivedAt: later(1), archivedReason: SECRET }),
        { kind: "use", ids: [memory.id], how: "access", at: AT },
        {
          kind: "decide",
          decision: sampleDecision(scope, { memory: memory.id, detail: `{"text":"${SECRET}"}` }),
        },
        {
          kind: "memory-index",
          replaces: [],
          segment: { scope, first: 1, last: 1, erased: 0, content: Buffer.from(`segment of ${SECRET}`) },
        },
      ]);
      expect(
        await store.nearestMemories({ model: "erasure", vector, limit: 1, states: ["archived"] }),
      ).toHaveLength(1);
      expect(await forget(memory.id)).toEqual([memory.id]);
      expect(await store.memory(memory.id)).toMatchObject({
        id: memory.id,
        scope,
        number: 1,
        createdAt: AT,
        validFrom: AT,
        archivedAt: later(1),
        erasedAt: AT,
        abstract: "",
        overview: "",
        content: "",
        factKey: null,
        tags: [],
        support: [],
        relations: [],
        sources: [],
        archivedReason: null,
      });
      const events = await store.memoryEvents(memory.id);
      expect(events.map(({ action, detail }) => [action, detail])).toEqual([
        ["created", "{}"],
        ["revised", "{}"],
        ["erased", "{}"],
      ]);
      const ref = { scope, number: 1 };
      expect(await store.memoryVectors("erasure", [ref])).toEqual([[]]);
      expect(await store.vectorCounts()).not.toContainEqual(expect.objectContaining({ model: "erasure" }));
      const own = use.store.memoriesOf({ tenant: DEFAULT_SCOPE.tenant, scopes: [scope] });
      expect(await own.memoryIndex()).toEqual({ segments: [], unindexed: [{ scope, first: 1, last: 1 }] });
      expect((await own.decisions({})).rows).toEqual([]);
      expect(await store.memoriesWithoutVectors("erasure-none", 10_000)).not.toContainEqual(
        expect.objectContaining({ id: memory.id }),
      );
      const log = await use.scoped.auditLog({ limit: 10_000 });
      expect(log.rows.at(-1)).toMatchObject({ action: "erase-memories", conversation: null });

      expect(JSON.stringify(await collect(use.store.dump()))).not.toContain(SECRET);
      await use.store.compactFiles();
      const bits = Buffer.from(vector.buffer);
      expect(await use.place.holds?.(Buffer.from(SECRET))).not.toBe(true);
      expect(await use.place.holds?.(bits.subarray(0, 64))).not.toBe(true);
      expect(await use.place.holds?.(signBits(vector))).not.toBe(true);
    });

    it("is final: nothing is revised, vectorised or erased once more", async () => {
      const memory = await remember(store, sampleMemory(newScope()));
      await forget(memory.id);
      const revised = store.commit([sampleRevise(memory.id, { tier: "core" })]);
      await expect(revised).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
      const vectors = { model: "erasure", vectors: [unitVector(1, 384)] };
      const ref = { scope: memory.scope, number: memory.number };
      expect(await store.commit([{ kind: "vectors", ref, vectors }])).toEqual([
        { kind: "vectors", written: false },
      ]);
      expect(await forget(memory.id, "mem_ffffffffffffffff")).toEqual([]);
    });

    it("takes with it what was merged or consolidated from it, in any scope, and nothing else", async () => {
      const root = await remember(store, sampleMemory(newScope()));
      const made = (type: "merged-from" | "consolidated-from" | "contextualizes", target: string) =>
        remember(store, sampleMemory(newScope(), { relations: [{ type, target }] }));
      const merged = await made("merged-from", root.id);
      const consolidated = await made("consolidated-from", merged.id);
      const beside = await made("contextualizes", root.id);
      expect((await forget(root.id)).toSorted()).toEqual([root.id, merged.id, consolidated.id].toSorted());
      expect(await store.memory(consolidated.id)).toMatchObject({
        abstract: "",
        erasedAt: AT,
        relations: [],
      });
      expect(await store.memory(beside.id)).toEqual(beside);
      const again = made("merged-from", root.id);
      await expect(again).rejects.toSatisfy((error) => isPalimpsestError(error, "busy"));
    });

    describe("of a text that others were merged into", () => {
      const merge = (scope: string, from: readonly { readonly id: string }[], seconds: number) =>
        remember(
          store,
          sampleMemory(scope, {
            createdAt: later(seconds),
            relations: from.map(({ id }) => ({ type: "merged-from", target: id })),
          }),
          { supersedes: from.map(({ id }) => id) },
        );
      const result = async (...ids: string[]) =>
        onlyMemoryResult(await store.commit([sampleForget(ids)]), "erase-memories");
      const isInForce = async ({ id }: { readonly id: string }) =>
        (await store.memories({ limit: 1_000 })).rows.some((row) => row.id === id);

      it("brings those back in force, through all that was made of them, and finds them by meaning", async () => {
        const scope = newScope();
        const vectors = { model: "points", vectors: [Float32Array.of(1, 0, 0, 0)] };
        const kept = await remember(store, sampleMemory(scope), { vectors });
        const gone = await remember(store, sampleMemory(scope));
        const first = await merge(scope, [kept, gone], 1);
        const other = await remember(store, sampleMemory(scope));
        const second = await merge(scope, [first, other], 2);
        const { erased, restored } = await result(gone.id);
        expect([...erased].toSorted()).toEqual([gone.id, first.id, second.id].toSorted());
        expect([...restored].toSorted()).toEqual([kept.id, other.id].toSorted());
        expect(await store.memory(kept.id)).toMatchObject({ invalidatedAt: null, supersededBy: null });
        expect((await store.memoryEvents(kept.id)).at(-1)).toMatchObject({ action: "restored" });
        const near = await store.nearestMemories({
          model: "points",
          vector: Float32Array.of(1, 0, 0, 0),
          limit: 1,
          scopes: [scope],
        });
        expect(near).toMatchObject([{ ref: { number: kept.number } }]);
        const log = await use.scoped.auditLog({ limit: 1_000 });
        expect(JSON.parse(log.rows.at(-1)?.detail ?? "")).toMatchObject({
          restored: [...restored].toSorted(),
        });
      });

      it("leaves what it has replaced otherwise, and what was set aside with it", async () => {
        const scope = newScope();
        const [replaced, edited, setAside] = [
          await remember(store, sampleMemory(scope)),
          await remember(store, sampleMemory(scope)),
          await remember(store, sampleMemory(scope)),
        ];
        const value = await remember(store, sampleMemory(scope), { supersedes: [replaced.id] });
        const relations = [{ type: "edited-from" as const, target: edited.id }];
        const wording = await remember(store, sampleMemory(scope, { relations }), {
          supersedes: [edited.id],
        });
        const merged = await merge(scope, [setAside], 1);
        await store.commit([sampleRevise(merged.id, { archivedAt: later(2), archivedReason: "old" })]);
        expect(await result(value.id, wording.id, merged.id)).toMatchObject({ restored: [] });
        for (const one of [replaced, edited, setAside]) expect(await isInForce(one)).toBe(false);
      });

      it("leaves what another value took the place of since, or has the key of", async () => {
        const scope = newScope();
        const [kept, keyed] = [
          await remember(store, sampleMemory(scope)),
          await remember(store, sampleMemory(scope, { factKey: "k" })),
        ];
        const [first, second] = [await merge(scope, [kept], 1), await merge(scope, [keyed], 1)];
        const holders = [
          await remember(store, sampleMemory(scope), { supersedes: [first.id] }),
          await remember(store, sampleMemory(scope, { factKey: "k" })),
        ];
        expect(await result(first.id, second.id)).toMatchObject({ restored: [] });
        for (const one of [kept, keyed]) expect(await isInForce(one)).toBe(false);
        for (const one of holders) expect(await isInForce(one)).toBe(true);
      });

      it("brings back one of each key, the newest", async () => {
        const scope = newScope();
        const older = await remember(store, sampleMemory(scope, { factKey: "k" }));
        const first = await merge(scope, [older], 1);
        const newer = await remember(store, sampleMemory(scope, { factKey: "k", createdAt: later(2) }));
        const second = await merge(scope, [first, newer], 3);
        expect(await result(first.id)).toMatchObject({ restored: [newer.id] });
        expect(await isInForce(older)).toBe(false);
        expect((await store.memory(second.id))?.erasedAt).toBe(AT);
      });

      it("brings back the one of a key that began last, whenever it was created", async () => {
        const scope = newScope();
        const latest = await remember(store, sampleMemory(scope, { factKey: "k" }));
        const first = await merge(scope, [latest], 1);
        const times = { validFrom: later(-9), createdAt: later(2) };
        const older = await remember(store, sampleMemory(scope, { factKey: "k", ...times }));
        await merge(scope, [first, older], 3);
        expect(await result(first.id)).toMatchObject({ restored: [latest.id] });
        expect(await isInForce(older)).toBe(false);
      });
    });

    it("keeps the place of a version among the others", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope, { factKey: "k" }));
      const second = await remember(store, sampleMemory(scope, { factKey: "k", createdAt: later(1) }), {
        supersedes: [first.id],
      });
      await forget(second.id);
      expect((await store.memoryVersions(first.id)).map(({ id, erasedAt }) => [id, erasedAt])).toEqual([
        [first.id, null],
        [second.id, AT],
      ]);
      expect((await remember(store, sampleMemory(scope, { factKey: "k" }))).number).toBe(3);
    });

    it("follows the messages that a memory was made from, in the same commit", async () => {
      const conversation = await conversationWith(6);
      const [origin, supported, later_] = [
        madeFrom(conversation, 2, 4),
        madeFrom(conversation, 3, 3, "support"),
        madeFrom(conversation, 5, 6),
      ];
      const merged = sampleMemory(newScope(), { relations: [{ type: "merged-from", target: origin.id }] });
      await store.commit([origin, supported, later_, merged].map((memory) => sampleRemember(memory)));
      const decided = { conversation, firstSeq: 3, lastSeq: 3, detail: `{"text":"${SECRET}"}` };
      const kept = { conversation, firstSeq: 5, lastSeq: 6 };
      await store.commit([
        { kind: "decide", decision: sampleDecision("global", decided) },
        { kind: "decide", decision: sampleDecision("global", kept) },
      ]);
      const audit = { at: AT, action: "erase", conversation, detail: "{}" };
      const erase = {
        kind: "erase",
        id: conversation,
        seqs: [3],
        retold: [],
        lines: [],
        title: null,
        at: AT,
        audit,
      } as const;
      expect(onlyResult(await use.scoped.commit([erase]), "erase")).toMatchObject({
        messages: 1,
        memories: 2,
      });
      expect(await store.memory(origin.id)).toMatchObject({ erasedAt: AT, abstract: "" });
      expect(await store.memory(merged.id)).toMatchObject({ erasedAt: AT, abstract: "" });
      expect(await store.memory(supported.id)).toMatchObject({
        erasedAt: null,
        sources: [],
        abstract: supported.abstract,
      });
      expect(await store.memory(later_.id)).toMatchObject({ erasedAt: null, sources: later_.sources });
      expect((await store.decisions({ conversation })).rows).toMatchObject([kept]);
      const again = { ...erase, audit: { ...audit, detail: '{"again":true}' } };
      expect(onlyResult(await use.scoped.commit([again]), "erase")).toMatchObject({
        messages: 0,
        memories: 0,
      });
      const late = remember(store, madeFrom(conversation, 1, 4));
      await expect(late).rejects.toSatisfy((error) => isPalimpsestError(error, "busy"));
      await remember(store, madeFrom(conversation, 1, 2));
    });

    it("follows a deleted conversation, and how far it was captured goes too", async () => {
      const conversation = await conversationWith(3);
      const [origin, supported] = [madeFrom(conversation, 1, 1), madeFrom(conversation, 2, 2, "support")];
      await store.commit([
        ...[origin, supported].map((memory) => sampleRemember(memory)),
        { kind: "captured", conversation, from: 0, to: 3, at: AT },
        { kind: "decide", decision: sampleDecision("global", { conversation }) },
      ]);
      const audit = { at: AT, action: "delete-conversation", conversation, detail: "{}" };
      const deleted = await use.scoped.commit([{ kind: "delete-conversation", id: conversation, audit }]);
      expect(onlyResult(deleted, "delete-conversation")).toEqual({
        kind: "delete-conversation",
        messages: 3,
        memories: 1,
      });
      expect(await store.memory(origin.id)).toMatchObject({ abstract: "" });
      expect((await store.memory(origin.id))?.erasedAt).not.toBeNull();
      expect(await store.memory(supported.id)).toMatchObject({ erasedAt: null, sources: [] });
      expect(await store.capturedTo(conversation)).toBe(0);
      expect((await store.decisions({ conversation })).rows).toEqual([]);
      const isGone = (error: unknown) => isPalimpsestError(error, "not-found");
      await expect(remember(store, madeFrom(conversation, 1, 1))).rejects.toSatisfy(isGone);
      const captured = store.commit([{ kind: "captured", conversation, from: 0, to: 3, at: AT }]);
      await expect(captured).rejects.toSatisfy(isGone);
    });
  });
}

/** One bit for each dimension, set if it is positive, lowest bit first. */
function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(vector.length / 8);
  for (const [index, value] of vector.entries())
    if (value > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  return bits;
}
