import { describe, expect, it } from "vitest";
import { unindexedRuns } from "./unindexed-runs.ts";

const runs = (last: number, ...segments: readonly (readonly [number, number])[]) =>
  unindexedRuns(
    "global",
    last,
    segments.map(([first, end]) => ({ first, last: end })),
  ).map(({ first, last: end }) => [first, end]);

describe("numbers that no segment holds", () => {
  it("are before, between and after the segments", () => {
    expect(runs(10, [3, 4], [7, 7])).toEqual([
      [1, 2],
      [5, 6],
      [8, 10],
    ]);
  });

  it("are all of a scope without segments, and none of one that is held or empty", () => {
    expect(runs(3)).toEqual([[1, 3]]);
    expect(runs(0)).toEqual([]);
    expect(runs(5, [1, 2], [3, 5])).toEqual([]);
  });

  it("may be one alone at each border", () => {
    expect(runs(5, [2, 4])).toEqual([
      [1, 1],
      [5, 5],
    ]);
  });
});
