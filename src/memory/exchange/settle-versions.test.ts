import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stateOf } from "../../memory-types.ts";
import { type ImportedMemory, importedMemory } from "./imported-memory.ts";
import { settleVersions } from "./settle-versions.ts";
import { memoryId, NOW } from "./testing/sample-memories.ts";

const day = (number: number) => `2026-03-${String(number).padStart(2, "0")}T00:00:00.000Z`;

function version(number: number, changes: Partial<ImportedMemory> = {}): ImportedMemory {
  const words = { abstract: `Version ${number}`, overview: "", content: "" };
  const times = { createdAt: day(number), validFrom: day(number) };
  return importedMemory({
    ...words,
    id: memoryId(number),
    category: "profile",
    scope: "global",
    ...times,
    ...changes,
  });
}

function settled(...memories: ImportedMemory[]) {
  const { memories: list, changes } = settleVersions(memories, NOW);
  return {
    byId: new Map(list.map((memory) => [memory.id, memory])),
    order: list.map(({ id }) => id),
    changes,
  };
}

describe("versions that are imported", () => {
  it("stay as they are where they fit together", () => {
    const old = version(1, { supersededBy: memoryId(2), invalidatedAt: day(2), factKey: "k" });
    const latest = version(2, { supersedes: [memoryId(1)], factKey: "k" });
    expect(settleVersions([latest, old], NOW)).toEqual({ memories: [old, latest], changes: [] });
  });

  it("have links on both sides, whichever side said so", () => {
    const { byId, changes } = settled(
      version(1),
      version(2, { supersedes: [memoryId(1)] }),
      version(3, { supersededBy: memoryId(4) }),
      version(4),
    );
    expect(byId.get(memoryId(1))).toMatchObject({ supersededBy: memoryId(2), invalidatedAt: day(2) });
    expect(byId.get(memoryId(4))).toMatchObject({ supersedes: [memoryId(3)] });
    expect(changes).toEqual([]);
  });

  it("of one fact key leave the latest in force, one after the other", () => {
    const { byId, changes } = settled(
      version(3, { factKey: "k" }),
      version(1, { factKey: "k" }),
      version(2, { factKey: "k" }),
    );
    expect(byId.get(memoryId(1))).toMatchObject({ supersededBy: memoryId(2), invalidatedAt: day(2) });
    expect(byId.get(memoryId(2))).toMatchObject({ supersededBy: memoryId(3), supersedes: [memoryId(1)] });
    expect(byId.get(memoryId(3))).toMatchObject({
      supersededBy: null,
      invalidatedAt: null,
      supersedes: [memoryId(2)],
    });
    expect(changes).toHaveLength(2);
  });

  it("of one fact key in other scopes, set aside or without a key are left alone", () => {
    const memories = [
      version(1, { factKey: "k" }),
      version(2, { factKey: "k", scope: "user:a" }),
      version(3, { factKey: "k", archivedAt: day(4) }),
      version(5),
      version(6),
    ];
    expect(settleVersions(memories, NOW).changes).toEqual([]);
  });

  it("in a circle leave the latest in force", () => {
    const { byId, changes } = settled(
      version(1, { supersededBy: memoryId(2), supersedes: [memoryId(3)], invalidatedAt: day(2) }),
      version(2, { supersededBy: memoryId(3), supersedes: [memoryId(1)], invalidatedAt: day(3) }),
      version(3, { supersededBy: memoryId(1), supersedes: [memoryId(2)], invalidatedAt: day(4) }),
    );
    expect(byId.get(memoryId(3))).toMatchObject({
      supersededBy: null,
      invalidatedAt: null,
      supersedes: [memoryId(2)],
    });
    expect(byId.get(memoryId(1))).toMatchObject({ supersededBy: memoryId(2), supersedes: [] });
    expect(changes).toHaveLength(1);
  });

  it("drop links to themselves and to other scopes, and keep those to what is not there", () => {
    const { byId, changes } = settled(
      version(1, { supersedes: [memoryId(1), memoryId(99)] }),
      version(2, { scope: "user:a", supersededBy: memoryId(1) }),
    );
    expect(byId.get(memoryId(1))?.supersedes).toEqual([memoryId(99)]);
    expect(byId.get(memoryId(2))?.supersededBy).toBeNull();
    expect(changes).toHaveLength(2);
  });

  it("without any time are replaced now", () => {
    const timeless = { createdAt: null, validFrom: null, factKey: "k" };
    const { byId } = settled(version(1, timeless), version(2, timeless));
    expect(byId.get(memoryId(1))).toMatchObject({ supersededBy: memoryId(2), invalidatedAt: NOW });
  });

  it("may be a chain of 50,000", () => {
    const chain = Array.from({ length: 50_000 }, (_, index) =>
      version(index + 1, {
        createdAt: day(1),
        validFrom: day(1),
        supersedes: index === 0 ? [] : [memoryId(index)],
      }),
    );
    const { order } = settled(...chain.toReversed());
    expect(order).toEqual(chain.map(({ id }) => id));
  });

  it("fit together whatever was said: the store could take them in this order", () => {
    const link = fc.integer({ min: 1, max: 7 }).map(memoryId);
    const any = fc.record({
      supersedes: fc.array(link, { maxLength: 3 }),
      supersededBy: fc.option(link, { nil: null }),
      factKey: fc.constantFrom("k", "l", null),
      scope: fc.constantFrom("global", "user:a"),
      invalidatedAt: fc.constantFrom(day(20), null),
      validFrom: fc.constantFrom(day(1), day(5), null),
      erasedAt: fc.option(fc.constant(day(21)), { nil: null, freq: 5 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (given) => {
        const { memories } = settleVersions(
          given.map((changes, index) => version(index + 1, changes)),
          NOW,
        );
        expect(memories).toHaveLength(given.length);
        expectToFit(memories);
        expect(settleVersions(memories, NOW).memories).toEqual(memories);
      }),
      { numRuns: 2_000 },
    );
  });
});

function expectToFit(memories: readonly ImportedMemory[]): void {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const written = new Set<string>();
  const inForce = new Set<string>();
  for (const memory of memories) {
    for (const id of memory.supersedes.filter((older) => byId.has(older))) {
      expect(written.has(id)).toBe(true);
      expect(byId.get(id)).toMatchObject({ supersededBy: memory.id, scope: memory.scope });
      expect(byId.get(id)?.invalidatedAt).not.toBeNull();
    }
    written.add(memory.id);
    if (memory.factKey === null || stateOf(memory) !== "active") continue;
    const key = `${memory.scope} ${memory.factKey}`;
    expect(inForce.has(key)).toBe(false);
    inForce.add(key);
  }
}
