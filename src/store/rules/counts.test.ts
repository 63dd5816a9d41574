import { describe, expect, it } from "vitest";
import { sampleMemory } from "../testing/sample-memory.ts";
import { messageItem, summaryItem } from "./context-item.ts";
import { add, countItems, NO_COUNTS, subtract } from "./counts.ts";
import { newlyStored } from "./newly-stored.ts";

describe("the size of a context", () => {
  it("counts items, their tokens, and the tokens of stubs where there are any", () => {
    const items = [
      { tokenCount: 10, stubTokenCount: 2 },
      { tokenCount: 5, stubTokenCount: null },
      { tokenCount: 7, stubTokenCount: 0 },
    ];
    expect(countItems(items)).toEqual({ items: 3, tokens: 22, stubTokens: 7 });
    expect(countItems([])).toEqual(NO_COUNTS);
    expect(NO_COUNTS).toEqual({ items: 0, tokens: 0, stubTokens: 0 });
  });

  it("is added and subtracted", () => {
    const [a, b] = [
      { items: 5, tokens: 50, stubTokens: 20 },
      { items: 2, tokens: 7, stubTokens: 3 },
    ];
    expect(add(a, b)).toEqual({ items: 7, tokens: 57, stubTokens: 23 });
    expect(subtract(a, b)).toEqual({ items: 3, tokens: 43, stubTokens: 17 });
  });
});

describe("a row of the context", () => {
  it("stands where its message, or the first that its summary covers, was", () => {
    expect(messageItem({ seq: 3, tokenCount: 9, stubTokenCount: 2 })).toEqual({
      ordinal: 3 * 1024,
      seq: 3,
      summaryNumber: null,
      tokenCount: 9,
      stubTokenCount: 2,
    });
    expect(summaryItem(3, 8, 9)).toEqual({
      ordinal: 3 * 1024,
      seq: null,
      summaryNumber: 8,
      tokenCount: 9,
      stubTokenCount: null,
    });
  });
});

describe("a memory that has just come", () => {
  it("is untouched, updated when it was created, and names each memory that it supersedes once", () => {
    const memory = sampleMemory("scope");
    expect(newlyStored({ memory, supersedes: ["a", "b", "a"] }, 7)).toMatchObject({
      ...memory,
      number: 7,
      updatedAt: memory.createdAt,
      supersedes: ["a", "b"],
      accessCount: 0,
      erasedAt: null,
      supersededBy: null,
    });
  });
});
