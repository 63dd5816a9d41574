import { describe, expect, it } from "vitest";
import { dedupBatch } from "./batch-dedup.ts";

/** A vector whose cosine with [1, 0] is this. */
function at(cosine: number): number[] {
  return [cosine, Math.sqrt(1 - cosine ** 2)];
}

describe("candidates of one batch", () => {
  it("that say the same are one, the first", () => {
    const { kept, dropped } = dedupBatch([[1, 0], at(0.86), [0, 1]]);
    expect(kept).toEqual([0, 2]);
    expect(dropped).toMatchObject([{ index: 1, duplicateOf: 0 }]);
    expect(dropped[0]?.cosine).toBeCloseTo(0.86, 10);
    expect(dropped[0]?.reason).toBe("Repeats candidate 1 of the same batch (cosine 0.860).");
  });

  it("are two at 0.85 and below, or without vectors", () => {
    expect(dedupBatch([[1, 0], at(0.84)]).kept).toEqual([0, 1]);
    expect(
      dedupBatch([
        [2, 0, 0],
        [0, 0, 0],
      ]).kept,
    ).toEqual([0, 1]);
    expect(dedupBatch([null, null, [1, 0]]).kept).toEqual([0, 1, 2]);
  });

  it("are compared with those that stay, not with those that went", () => {
    // 0° and 25° are 0.906 near, 25° and 50° too, but 0° and 50° only 0.643.
    const turned = (degrees: number) => [
      Math.cos((degrees * Math.PI) / 180),
      Math.sin((degrees * Math.PI) / 180),
    ];
    expect(dedupBatch([turned(0), turned(25), turned(50)]).kept).toEqual([0, 2]);
  });

  it("are at most five", () => {
    const six = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => (i === j ? 1 : 0)));
    expect(dedupBatch(six)).toMatchObject({
      kept: [0, 1, 2, 3, 4],
      dropped: [{ index: 5, duplicateOf: null }],
    });
  });
});
