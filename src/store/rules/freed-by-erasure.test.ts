import { describe, expect, it } from "vitest";
import type { MemoryRelation } from "../../memory-types.ts";
import { type ErasedMemory, freedByErasure, restorable } from "./freed-by-erasure.ts";

const erased = (
  id: string,
  relations: readonly MemoryRelation[],
  more: Partial<ErasedMemory> = {},
): ErasedMemory => ({
  id,
  supersededBy: null,
  isArchived: false,
  relations,
  ...more,
});
const from = (target: string, type: MemoryRelation["type"] = "merged-from"): MemoryRelation => ({
  type,
  target,
});

describe("what comes back when a text is erased", () => {
  it("is what was merged into it, unless that is erased as well", () => {
    expect(freedByErasure([erased("text", [from("a"), from("b")])])).toEqual([
      { id: "a", by: "text" },
      { id: "b", by: "text" },
    ]);
    expect(freedByErasure([erased("text", [from("a"), from("b")]), erased("b", [])])).toEqual([
      { id: "a", by: "text" },
    ]);
  });

  it("is nothing that was made into it in another way", () => {
    for (const type of ["consolidated-from", "edited-from", "contradicts", "contextualizes"] as const)
      expect(freedByErasure([erased("text", [from("a", type)])])).toEqual([]);
  });

  it("is nothing of a text that was set aside, or replaced by something that stays", () => {
    expect(freedByErasure([erased("text", [from("a")], { isArchived: true })])).toEqual([]);
    expect(freedByErasure([erased("text", [from("a")], { supersededBy: "other" })])).toEqual([]);
  });

  it("is what was merged into a text that only lived on in what is erased with it", () => {
    const first = erased("first", [from("a")], { supersededBy: "second" });
    expect(freedByErasure([first, erased("second", [from("first")])])).toEqual([{ id: "a", by: "first" }]);
    const other = erased("second", [from("first", "contradicts")]);
    expect(freedByErasure([first, other])).toEqual([]);
    const aside = erased("second", [from("first")], { isArchived: true });
    expect(freedByErasure([first, aside])).toEqual([]);
  });
});

describe("of several that may come back", () => {
  const freed = (id: string, scope: string, fact_key: string | null) => ({ id, scope, fact_key });

  it("the first of each key of a scope does, and all without a key do", () => {
    const memories = [
      freed("a", "global", "editor"),
      freed("b", "global", "editor"),
      freed("c", "user:u", "editor"),
      freed("d", "global", null),
      freed("e", "global", null),
      freed("f", "global", "shell"),
    ];
    expect(restorable(memories).map(({ id }) => id)).toEqual(["a", "c", "d", "e", "f"]);
  });
});
