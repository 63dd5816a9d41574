import { describe, expect, it } from "vitest";
import { countByScope, numbering } from "./number-memories.ts";

describe("numbers of new memories", () => {
  it("are the last ones that were taken in each scope, in their order", () => {
    const counts = countByScope([{ scope: "a" }, { scope: "b" }, { scope: "a" }]);
    expect(counts).toEqual(
      new Map([
        ["a", 2],
        ["b", 1],
      ]),
    );
    const numberIn = numbering(
      new Map([
        ["a", 12],
        ["b", 1],
      ]),
      counts,
    );
    expect(["a", "b", "a"].map(numberIn)).toEqual([11, 1, 12]);
  });
});
