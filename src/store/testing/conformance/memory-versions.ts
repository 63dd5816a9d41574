import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { EVERY_SCOPE, type MemoryStore } from "../../memory-store.ts";
import { AT } from "../sample.ts";
import {
  later,
  remember,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../sample-memory.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeMemoryVersions(use: StoreInUse): void {
  describe("versions of a memory", () => {
    let store: MemoryStore;
    let scopes = 0;
    const newScope = () => `project:versions-${++scopes}`;
    const isBusy = (error: unknown) => isPalimpsestError(error, "busy");

    beforeAll(() => {
      store = use.store.memoriesOf({ tenant: "versions", scopes: EVERY_SCOPE });
    });

    const activeOf = async (scope: string, factKey: string) =>
      (await store.memories({ scopes: [scope], factKey })).rows;

    it("take the place of one another, and all stay readable", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope, { factKey: "k" }));
      const second = await remember(store, sampleMemory(scope, { factKey: "k", createdAt: later(1) }), {
        supersedes: [first.id],
      });
      const third = await remember(store, sampleMemory(scope, { factKey: "k", createdAt: later(2) }), {
        supersedes: [second.id],
      });
      expect(await store.memory(first.id)).toEqual({
        ...first,
        invalidatedAt: later(1),
        updatedAt: later(1),
        supersededBy: second.id,
      });
      expect(second.supersedes).toEqual([first.id]);
      for (const { id } of [first, second, third])
        expect((await store.memoryVersions(id)).map((version) => version.id)).toEqual([
          first.id,
          second.id,
          third.id,
        ]);
      expect((await activeOf(scope, "k")).map(({ id }) => id)).toEqual([third.id]);
      expect((await store.memoryEvents(first.id)).map(({ action, at }) => [action, at])).toEqual([
        ["created", AT],
        ["superseded", later(1)],
      ]);
      expect(await store.memoryVersions("mem_ffffffffffffffff")).toEqual([]);
    });

    it("may be several that one takes the place of", async () => {
      const scope = newScope();
      const [a, b] = [await remember(store, sampleMemory(scope)), await remember(store, sampleMemory(scope))];
      const merged = await remember(store, sampleMemory(scope, { createdAt: later(1) }), {
        supersedes: [a.id, b.id],
      });
      expect(merged.supersedes.toSorted()).toEqual([a.id, b.id].toSorted());
      expect((await store.memoryVersions(a.id)).map(({ id }) => id)).toEqual([a.id, b.id, merged.id]);
    });

    it("have at most one of a fact key in force", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope, { factKey: "k" }));
      const second = sampleMemory(scope, { factKey: "k" });
      await expect(remember(store, second)).rejects.toSatisfy(isBusy);
      await remember(store, sampleMemory(newScope(), { factKey: "k" }));
      const other = await remember(store, sampleMemory(scope, { factKey: "other" }));
      const renamed = store.commit([sampleRevise(other.id, { factKey: "k" })]);
      await expect(renamed).rejects.toSatisfy(isBusy);
      await store.commit([sampleRevise(first.id, { archivedAt: AT })]);
      await remember(store, second);
      const restored = store.commit([sampleRevise(first.id, { archivedAt: null })]);
      await expect(restored).rejects.toSatisfy(isBusy);
      expect((await activeOf(scope, "k")).map(({ id }) => id)).toEqual([second.id]);
    });

    it("take the place only of what is in force, and in the same scope", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope));
      const aside = await remember(store, sampleMemory(scope));
      const elsewhere = await remember(store, sampleMemory(newScope()));
      await remember(store, sampleMemory(scope), { supersedes: [first.id] });
      await store.commit([sampleRevise(aside.id, { archivedAt: AT })]);
      for (const id of [first.id, aside.id, elsewhere.id, "mem_ffffffffffffffff"])
        await expect(remember(store, sampleMemory(scope), { supersedes: [id] })).rejects.toSatisfy(isBusy);
      expect((await store.memories({ scopes: [scope] })).rows).toHaveLength(1);
    });

    it("may come late: what is in force stays so, and names them among what it superseded", async () => {
      const scope = newScope();
      const vectors = { model: "late", vectors: [Float32Array.of(1, 0, 0, 0)] };
      const holder = sampleMemory(scope, { factKey: "k", createdAt: later(1) });
      const [first, second] = [3, 4].map((seconds) =>
        sampleMemory(scope, { factKey: "k", createdAt: later(seconds) }),
      );
      if (first === undefined || second === undefined) throw new Error("two were made");
      const { id, createdAt } = holder;
      const supersededBy = { id, createdAt };
      const [, stored] = await store.commit([
        sampleRemember(holder),
        sampleRemember(first, { supersededBy, vectors }),
        sampleRemember(second, { supersededBy }),
      ]);
      expect(stored).toMatchObject({
        memory: { id: first.id, supersededBy: id, invalidatedAt: later(1), updatedAt: later(3) },
      });
      expect(await store.memory(holder.id)).toMatchObject({
        invalidatedAt: null,
        supersedes: [first.id, second.id],
      });
      expect((await activeOf(scope, "k")).map(({ id }) => id)).toEqual([holder.id]);
      expect((await store.memoryEvents(first.id)).map(({ action, at }) => [action, at])).toEqual([
        ["created", later(3)],
        ["superseded", later(3)],
      ]);
      const near = { model: "late", vector: Float32Array.of(1, 0, 0, 0), limit: 1, scopes: [scope] };
      expect(await store.nearestMemories(near)).toEqual([]);
      expect(await store.nearestMemories({ ...near, states: ["superseded"] })).toHaveLength(1);
      expect((await store.memoryCounts()).byScope).toContainEqual({ scope, active: 1 });
    });

    it("come late only where the other one is in force, and in the same scope", async () => {
      const scope = newScope();
      const ended = await remember(store, sampleMemory(scope));
      await remember(store, sampleMemory(scope), { supersedes: [ended.id] });
      const elsewhere = await remember(store, sampleMemory(newScope()));
      for (const id of [ended.id, elsewhere.id, "mem_ffffffffffffffff"]) {
        const supersededBy = { id, createdAt: AT };
        await expect(remember(store, sampleMemory(scope), { supersededBy })).rejects.toSatisfy(isBusy);
      }
      expect((await store.memories({ scopes: [scope] })).rows).toHaveLength(1);
    });

    it("are revised while they are in force, where that is asked for", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope));
      const inForce = (id: string) => ({
        ...sampleRevise(id, { archivedAt: AT }),
        whileInForce: true as const,
      });
      const second = await remember(store, sampleMemory(scope), { supersedes: [first.id] });
      await expect(store.commit([inForce(first.id)])).rejects.toSatisfy(isBusy);
      await store.commit([inForce(second.id)]);
      await expect(store.commit([inForce(second.id)])).rejects.toSatisfy(isBusy);
      expect((await store.memory(first.id))?.archivedAt).toBeNull();
    });

    it("are one when eight writers at once remember the same fact", async () => {
      const scope = newScope();
      const others = await Promise.all([use.place.open(), use.place.open()]);
      const writers = [store, ...others.map((other) => other.memoriesOf(store.access))];
      const attempts = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) =>
          remember(writers[i % 3] ?? store, sampleMemory(scope, { factKey: "k" })),
        ),
      );
      await Promise.all(others.map((other) => other.close()));
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const attempt of attempts)
        if (attempt.status === "rejected") expect(isBusy(attempt.reason)).toBe(true);
      expect(await activeOf(scope, "k")).toHaveLength(1);
    });

    it("have one winner when several want to take the place of one", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope, { factKey: "k" }));
      const other = await use.place.open();
      const theirs = other.memoriesOf(store.access);
      const attempts = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) =>
          remember(i % 2 === 0 ? store : theirs, sampleMemory(scope, { factKey: "k" }), {
            supersedes: [first.id],
          }),
        ),
      );
      await other.close();
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const attempt of attempts)
        if (attempt.status === "rejected") expect(isBusy(attempt.reason)).toBe(true);
      expect(await store.memoryVersions(first.id)).toHaveLength(2);
    });

    it("never have two in force of one key and never become fewer, whatever is done", async () => {
      const action = fc.oneof(
        fc.record({ kind: fc.constant("remember" as const), key: fc.nat(2) }),
        fc.record({ kind: fc.constant("supersede" as const), which: fc.nat(20), key: fc.nat(2) }),
        fc.record({ kind: fc.constant("archive" as const), which: fc.nat(20) }),
        fc.record({ kind: fc.constant("restore" as const), which: fc.nat(20) }),
        fc.record({ kind: fc.constant("erase" as const), which: fc.nat(20) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), async (actions) => {
          const scope = newScope();
          const ids: string[] = [];
          const known = new Map<string, number>();
          for (const [index, step] of actions.entries()) {
            const target = "which" in step ? (ids[step.which % Math.max(ids.length, 1)] ?? "mem_") : "mem_";
            const memory = sampleMemory(scope, {
              factKey: "key" in step ? `k${step.key}` : null,
              createdAt: later(index),
            });
            try {
              if (step.kind === "remember") await remember(store, memory);
              else if (step.kind === "supersede") await remember(store, memory, { supersedes: [target] });
              else if (step.kind === "archive")
                await store.commit([sampleRevise(target, { archivedAt: AT })]);
              else if (step.kind === "restore")
                await store.commit([sampleRevise(target, { archivedAt: null })]);
              else await store.commit([sampleForget([target])]);
              if (step.kind === "remember" || step.kind === "supersede") ids.push(memory.id);
            } catch (error) {
              expect(isBusy(error) || isPalimpsestError(error, "not-found")).toBe(true);
            }
            const active = (await store.memories({ scopes: [scope] })).rows.flatMap(
              ({ factKey }) => factKey ?? [],
            );
            expect(new Set(active).size).toBe(active.length);
            for (const id of ids) {
              const versions = (await store.memoryVersions(id)).length;
              expect(versions).toBeGreaterThanOrEqual(known.get(id) ?? 1);
              known.set(id, versions);
            }
          }
          const refs = ids.map((_, index) => ({ scope, number: index + 1 }));
          expect((await store.memoriesAt(refs)).map(({ id }) => id)).toEqual(ids);
        }),
        { numRuns: 8 },
      );
    });

    it("are refused as a whole with what came before them in the same commit", async () => {
      const scope = newScope();
      const first = await remember(store, sampleMemory(scope, { factKey: "k" }));
      const writes = [
        sampleRemember(sampleMemory(scope)),
        sampleRemember(sampleMemory(scope, { factKey: "k" })),
      ];
      await expect(store.commit(writes)).rejects.toSatisfy(isBusy);
      expect((await store.memories({ scopes: [scope] })).rows.map(({ id }) => id)).toEqual([first.id]);
    });
  });
}
