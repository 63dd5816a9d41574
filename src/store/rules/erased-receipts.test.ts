import { describe, expect, it } from "vitest";
import { mayHoldErased } from "./erased-receipts.ts";

const erased = [{ seq: 5, erasedAt: "2026-01-02T00:00:00.000Z" }];

describe("a receipt that may hold what was erased", () => {
  it.each([
    { firstSeq: 6, at: "2026-01-01T00:00:00.000Z", may: true },
    { firstSeq: 6, at: "2026-01-02T00:00:00.000Z", may: true },
    { firstSeq: 6, at: "2026-01-02T00:00:00.001Z", may: false },
    { firstSeq: 5, at: "2026-01-01T00:00:00.000Z", may: false },
  ])("is told by its place and its time: $firstSeq at $at", ({ firstSeq, at, may }) => {
    expect(mayHoldErased({ firstSeq, at }, erased)).toBe(may);
  });

  it("holds one of several that were erased", () => {
    const receipt = { firstSeq: 6, at: "2026-01-01T00:00:00.000Z" };
    expect(mayHoldErased(receipt, [...erased, { seq: 9, erasedAt: "2026-01-02T00:00:00.000Z" }])).toBe(true);
    expect(mayHoldErased(receipt, [])).toBe(false);
  });
});
