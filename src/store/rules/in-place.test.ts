import { describe, expect, it } from "vitest";
import { areInPlace, contextMoved } from "./in-place.ts";
import type { SourceFacts } from "./summary-facts.ts";

const facts = (...positions: number[]): SourceFacts[] =>
  positions.map((position) => ({
    ...{ position, depth: -1, firstSeq: position, lastSeq: position, earliestAt: "", latestAt: "" },
    ...{ messageCount: 1, sourceTokenCount: 1, descendantCount: 0, descendantTokenCount: 0, hash: "" },
  }));
const messages = (...seqs: number[]) => seqs.map((seq) => ({ seq, summary_number: null }));
const summaries = (...numbers: number[]) => numbers.map((summary_number) => ({ seq: null, summary_number }));

describe("whether sources are in place", () => {
  it("holds when the items are exactly the sources, in order", () => {
    expect(areInPlace(messages(3, 4), { type: "messages", seqs: [3, 4] }, facts(3, 4))).toBe(true);
    expect(areInPlace(summaries(7, 5), { type: "summaries", ids: ["a", "b"] }, facts(7, 5))).toBe(true);
  });

  it("does not hold when an item is missing, foreign, or in another order", () => {
    const sources = { type: "messages", seqs: [3, 4] } as const;
    expect(areInPlace(messages(3), sources, facts(3, 4))).toBe(false);
    expect(areInPlace(messages(3, 4, 5), sources, facts(3, 4))).toBe(false);
    expect(areInPlace(messages(4, 3), sources, facts(3, 4))).toBe(false);
    expect(areInPlace(messages(3, 4), sources, facts(3))).toBe(false);
    expect(areInPlace(messages(3, 4), sources, facts(3, 4, 5))).toBe(false);
    expect(areInPlace(messages(3, 5), sources, facts(3, 4))).toBe(false);
  });

  it("does not take a summary for the message with its number", () => {
    expect(areInPlace(summaries(3), { type: "messages", seqs: [3] }, facts(3))).toBe(false);
    expect(areInPlace(messages(3), { type: "summaries", ids: ["a"] }, facts(3))).toBe(false);
  });

  it("is refused as something to try again when it does not hold", () => {
    expect(contextMoved()).toMatchObject({
      code: "busy",
      message: "the context changed while it was being summarised",
      advice: "Plan again; nothing was written.",
    });
  });
});
