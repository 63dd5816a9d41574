import { describe, expect, it } from "vitest";
import { exchangedMemory, exchangedMemoryOf } from "./exchanged-memory.ts";
import { NOW, sampleMemory } from "./testing/sample-memories.ts";

function problemOf(value: unknown): string {
  const read = exchangedMemoryOf(value);
  return "problem" in read ? read.problem : "";
}

describe("a memory that leaves the store", () => {
  it("has its history with it, and not the number that the store gave it", () => {
    const { events, ...memory } = sampleMemory();
    const stored = { ...memory, number: 7 };
    expect(exchangedMemory(stored, events)).toEqual(sampleMemory());
    expect(exchangedMemoryOf(exchangedMemory(stored, events))).toEqual({ memory: sampleMemory() });
  });

  it("keeps nothing but its tombstone once it was erased", () => {
    const erased = exchangedMemory(sampleMemory({ erasedAt: NOW, archivedReason: "Helix" }), []);
    expect(JSON.stringify(erased)).not.toMatch(/Helix|editor|tools|conv_|vim/);
    expect(erased).toMatchObject({ id: sampleMemory().id, scope: "user:anna", erasedAt: NOW });
    expect(exchangedMemoryOf(erased)).toEqual({ memory: erased });
  });
});

describe("a value that is no memory", () => {
  it.each([
    ["an unknown field", { ...sampleMemory(), mood: 1 }, /does not take "mood"/],
    ["a field that is missing", { ...sampleMemory(), tier: undefined }, /^tier is missing/],
    ["a wrong type", { ...sampleMemory(), importance: "high" }, /^importance must be a number/],
    ["a share above 1", { ...sampleMemory(), confidence: 1.5 }, /^confidence must be at most 1/],
    ["an id of another kind", { ...sampleMemory(), id: "conv_0123456789abcdef" }, /^id must be/],
    ["a scope that says nothing", { ...sampleMemory(), scope: "user: " }, /^scope must be/],
    ["a time without milliseconds", { ...sampleMemory(), createdAt: "2026-03-01T10:00:00Z" }, /^createdAt/],
    ["no words", { ...sampleMemory(), abstract: "" }, /^abstract must not be empty/],
    ["words though it was erased", { ...sampleMemory(), erasedAt: NOW }, /^abstract must be empty/],
    ["a list", [], /must be an object/],
    ["nothing", null, /must be an object/],
  ])("is refused for %s", (_, value, expected) => {
    expect(problemOf(value)).toMatch(expected);
  });

  it("is refused without repeating its words, and in a few of them", () => {
    const problem = problemOf({ abstract: 5, overview: [], content: "a secret", tier: "a secret" });
    expect(problem).not.toContain("a secret");
    expect(problem).toMatch(/; and \d+ more$/);
  });
});
