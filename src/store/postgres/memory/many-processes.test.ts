import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../../test/start-postgres.ts";
import { isPalimpsestError } from "../../../errors.ts";
import { EVERY_SCOPE, type MemoryStore, type MemoryWrite } from "../../memory-store.ts";
import type { Store } from "../../store.ts";
import {
  remember,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../../testing/sample-memory.ts";
import { unitVector } from "../../testing/sample-vectors.ts";
import { openPostgresStore } from "../index.ts";

/** Each store has its own connections, like another process. */
const PROCESSES = 4;

describe("memories that several processes write", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let stores: Store[];
  let holders: MemoryStore[];

  beforeAll(async () => {
    database = await freshDatabase(inject("postgresUrl"));
    stores = await Promise.all(
      Array.from({ length: PROCESSES }, () => openPostgresStore({ url: database.url })),
    );
    holders = stores.map((store) => store.memoriesOf({ tenant: "t", scopes: EVERY_SCOPE }));
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  const holder = (i: number) => holders[i % PROCESSES] as MemoryStore;

  it("never wait for each other in a circle, in whichever order they name scopes and memories", async () => {
    const scopes = ["agent:a", "agent:b", "agent:c"];
    const kept = await Promise.all(scopes.map((scope) => remember(holder(0), sampleMemory(scope))));
    const turned = <Item>(items: readonly Item[], i: number) => (i % 2 === 0 ? items : items.toReversed());
    const commits = Array.from({ length: 40 }, (_, i): MemoryWrite[] => [
      ...turned(scopes, i).map((scope) => sampleRemember(sampleMemory(scope))),
      ...turned(kept, i + 1).map(({ id }) => sampleRevise(id, { importance: i / 40 })),
      {
        kind: "use",
        ids: turned(kept, i).map(({ id }) => id),
        how: "access",
        at: "2026-01-01T00:00:00.000Z",
      },
    ]);
    await Promise.all(commits.map((writes, i) => holder(i).commit(writes)));
    expect(await holder(1).memory(kept[0]?.id ?? "")).toMatchObject({ accessCount: 40 });
    const numbers = (await holder(2).memories({ scopes: ["agent:b"], limit: 1_000 })).rows.map(
      (row) => row.number,
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
  });

  it("leave nothing that was made from a memory which was erased at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const root = await remember(holder(0), sampleMemory("global"));
      const relations = [{ type: "merged-from" as const, target: root.id }];
      const made = Array.from({ length: 6 }, (_, i) => sampleMemory(`user:new-${round}-${i}`, { relations }));
      const outcomes = await Promise.allSettled([
        ...made.slice(0, 3).map((memory, i) => remember(holder(i), memory)),
        holder(3).commit([sampleForget([root.id])]),
        ...made.slice(3).map((memory, i) => remember(holder(i), memory)),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(isPalimpsestError(outcome.reason, "busy")).toBe(true);
      const left = await Promise.all(made.map(({ id }) => holder(1).memory(id)));
      expect(left.map((memory) => memory?.abstract ?? "")).toEqual(made.map(() => ""));
    }
  });

  it("are found or not found by their vectors as their state says, whoever was first", async () => {
    for (let round = 0; round < 10; round++) {
      const scope = `project:${round}`;
      const old = await remember(holder(0), sampleMemory(scope));
      const vectors = { model: "m", vectors: [unitVector(round, 16)] };
      await Promise.all([
        holder(1).commit([{ kind: "vectors", ref: old, vectors }]),
        remember(holder(2), sampleMemory(scope), { supersedes: [old.id] }),
      ]);
      const query = { model: "m", vector: unitVector(round, 16), limit: 10, scopes: [scope] };
      expect(await holder(3).nearestMemories(query)).toEqual([]);
      expect(await holder(3).nearestMemories({ ...query, states: ["superseded"] })).toHaveLength(1);
    }
  });

  it("number without a gap or a double when all remember at once", async () => {
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, i) => remember(holder(i), sampleMemory("project:numbers"))),
    );
    const numbers = results.map(({ number }) => number).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });
});
