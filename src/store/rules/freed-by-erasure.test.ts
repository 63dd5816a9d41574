import { describe, expect, it } from "vitest";
import type { MemoryRelation } from "../../memory-types.ts";
import { later, storedMemory } from "../testing/sample-memory.ts";
import { type ErasedMemory, freedByErasure, NOTHING_ERASED, restorable } from "./freed-by-erasure.ts";
import { namingErased } from "./naming-erased.ts";

const merged = (...targets: string[]): MemoryRelation[] =>
  targets.map((target) => ({ type: "merged-from", target }));
const memory = (id: string, more: Partial<ErasedMemory> = {}): ErasedMemory => ({
  id,
  supersededBy: null,
  isArchived: false,
  relations: [],
  ...more,
});

describe("what comes back when a memory is erased", () => {
  it.each<[string, ErasedMemory[], [id: string, by: string][]]>([
    [
      "what was merged into it",
      [memory("m", { relations: merged("a", "b") })],
      [
        ["a", "m"],
        ["b", "m"],
      ],
    ],
    ["not what is erased with it", [memory("m", { relations: merged("a", "b") }), memory("a")], [["b", "m"]]],
    ["not what it was edited from", [memory("m", { relations: [{ type: "edited-from", target: "a" }] })], []],
    ["nothing, when it was set aside", [memory("m", { isArchived: true, relations: merged("a") })], []],
    [
      "nothing, when another that stays took its place",
      [memory("m", { supersededBy: "n", relations: merged("a") })],
      [],
    ],
    [
      "what was merged, when what was made of it is erased too",
      [memory("m", { supersededBy: "n", relations: merged("a") }), memory("n", { relations: merged("m") })],
      [["a", "m"]],
    ],
    [
      "only what was merged into its successor, when that is erased too and was not made of it",
      [
        memory("m", { supersededBy: "n", relations: merged("a") }),
        memory("n", { relations: merged("other") }),
      ],
      [["other", "n"]],
    ],
    [
      "what was merged into each, when both were merged into one that is erased too",
      [
        memory("m", { supersededBy: "o", relations: merged("a") }),
        memory("n", { supersededBy: "o", relations: merged("b") }),
        memory("o", { relations: merged("m", "n") }),
      ],
      [
        ["a", "m"],
        ["b", "n"],
      ],
    ],
    [
      "nothing, when its successor only contradicts it",
      [
        memory("m", { supersededBy: "n", relations: merged("a") }),
        memory("n", { relations: [{ type: "contradicts", target: "m" }] }),
      ],
      [],
    ],
    [
      "nothing, when what was made of it was set aside",
      [
        memory("m", { supersededBy: "n", relations: merged("a") }),
        memory("n", { isArchived: true, relations: merged("m") }),
      ],
      [],
    ],
  ])("is %s", (_, erased, expected) => {
    expect(freedByErasure(erased).map(({ id, by }) => [id, by])).toEqual(expected);
  });
});

describe("of several that may come back", () => {
  const freed = (id: string, scope: string, factKey: string | null, validFrom = later(1)) =>
    storedMemory({ id, scope, factKey, validFrom });

  it("the latest of each key of a scope does, and all without a key do", () => {
    const memories = [
      freed("a", "global", "editor"),
      freed("b", "global", "editor", later(0)),
      freed("c", "user:u", "editor"),
      freed("d", "global", null),
      freed("e", "global", null),
      freed("f", "global", "shell"),
    ];
    expect(restorable(memories, later(9)).map(({ id }) => id)).toEqual(["a", "c", "d", "e", "f"]);
  });
});

describe("the record of an erasure", () => {
  const audit = {
    at: "2026-03-01T10:00:00.000Z",
    action: "erase",
    conversation: "conv_a",
    detail: '{"messages":1}',
  };

  it("names what was erased and what came back, in order", () => {
    const { detail, ...rest } = namingErased(audit, { erased: ["b", "a"], restored: ["d", "c"] });
    expect(JSON.parse(detail)).toEqual({ messages: 1, memories: ["a", "b"], restored: ["c", "d"] });
    expect(rest).toEqual({ at: audit.at, action: "erase", conversation: "conv_a" });
    const { detail: alone } = namingErased(audit, { erased: ["a"], restored: [] });
    expect(JSON.parse(alone)).toEqual({ messages: 1, memories: ["a"] });
  });

  it("is as it was when no memory was erased", () => {
    expect(namingErased(audit, NOTHING_ERASED)).toBe(audit);
    expect(NOTHING_ERASED).toEqual({ erased: [], restored: [] });
  });
});
