import { describe, expect, it } from "vitest";
import type { StoredMemory } from "../memory-store.ts";
import { later, storedMemory } from "../testing/sample-memory.ts";
import { mergeMemory } from "./merge-memory.ts";

const here = storedMemory({ updatedAt: later(1), importance: 0.1 });
const incoming = (more: Partial<StoredMemory>): StoredMemory => ({ ...here, number: 9, ...more });
const nothingErased = () => false;
const merge = (known: StoredMemory, other: StoredMemory) => mergeMemory(known, other, nothingErased);

describe("two records of one memory", () => {
  it("are told by the side that changed it later, and by this one when both changed at the same time", () => {
    expect(merge(here, incoming({ updatedAt: later(2), importance: 0.9 })).importance).toBe(0.9);
    expect(merge(here, incoming({ updatedAt: later(1), importance: 0.9 })).importance).toBe(0.1);
    expect(merge(here, incoming({ updatedAt: later(0), importance: 0.9 })).importance).toBe(0.1);
  });

  it("keep the number that it has here", () => {
    expect(merge(here, incoming({ updatedAt: later(2) })).number).toBe(here.number);
  });

  it("are superseded when either side says so, and by what this side says when both do", () => {
    const ended = { invalidatedAt: later(5), supersededBy: "mem_other" };
    const endedHere = { ...here, invalidatedAt: later(4), supersededBy: "mem_mine" };
    expect(merge(here, incoming({ ...ended, updatedAt: later(0) }))).toMatchObject(ended);
    expect(merge(endedHere, incoming({ updatedAt: later(9) })).supersededBy).toBe("mem_mine");
    expect(merge(endedHere, incoming({ ...ended, updatedAt: later(9) })).supersededBy).toBe("mem_mine");
  });

  it("stay in force when what took its place elsewhere is erased here", () => {
    const other = incoming({ invalidatedAt: later(5), supersededBy: "mem_gone", updatedAt: later(5) });
    const merged = mergeMemory(here, other, (id) => id === "mem_gone");
    expect(merged).toMatchObject({ invalidatedAt: null, supersededBy: null });
  });

  it("have the sources and relations of both, those of this side first", () => {
    const source = (firstSeq: number) =>
      ({ conversation: "conv_1", firstSeq, lastSeq: firstSeq, kind: "origin" }) as const;
    const relation = { type: "contradicts", target: "mem_2" } as const;
    const merged = merge(
      { ...here, sources: [source(2)] },
      incoming({ sources: [source(1), source(2)], relations: [relation], updatedAt: later(0) }),
    );
    expect(merged.sources).toEqual([source(2), source(1)]);
    expect(merged.relations).toEqual([relation]);
  });

  it("have the higher count and the later time of uses, each by itself", () => {
    const used = { accessCount: 3, lastAccessedAt: later(1), injectedCount: 0, lastInjectedAt: null };
    const other = { accessCount: 2, lastAccessedAt: later(2), injectedCount: 1, lastInjectedAt: later(1) };
    const both = { accessCount: 3, lastAccessedAt: later(2), injectedCount: 1, lastInjectedAt: later(1) };
    expect(merge({ ...here, ...used }, incoming(other))).toMatchObject(both);
    expect(merge({ ...here, ...other }, incoming(used))).toMatchObject(both);
  });

  it("stay as they are here once either is erased", () => {
    const erased = { ...here, erasedAt: later(1), abstract: "" };
    expect(merge(erased, incoming({ updatedAt: later(2) }))).toBe(erased);
    expect(merge(here, incoming({ erasedAt: later(2), abstract: "", updatedAt: later(2) }))).toBe(here);
  });

  it.each([
    ["abstract", "has another text here"],
    ["overview", "has another text here"],
    ["content", "has another text here"],
    ["scope", "is on record in another memory scope"],
  ] as const)("are refused with another %s", (field, why) => {
    expect(() => merge(here, incoming({ [field]: "other" }))).toThrow(
      expect.objectContaining({
        code: "conflict",
        message: `${here.id} ${why}`,
        advice: "Nothing was written.",
      }),
    );
  });
});
