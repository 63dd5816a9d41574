import { describe, expect, it } from "vitest";
import { afterShown } from "./feedback.ts";

describe("feedback moves importance by a step from where it is", () => {
  it.each([
    [0.9, true, 0, 0.95, 0],
    [0.98, true, 2, 1, 0],
    [0.9, false, 0, 0.9, 1],
    [0.9, false, 1, 0.9, 2],
    [0.9, false, 2, 0.87, 3],
    [0.11, false, 5, 0.1, 6],
    [0.05, false, 5, 0.05, 6],
  ])("%f, used %s after %i in vain: %f", (importance, used, inVain, expected, unusedInARow) => {
    const after = afterShown(importance, used, inVain);
    expect(after.importance).toBeCloseTo(expected, 10);
    expect(after.unusedInARow).toBe(unusedInARow);
  });

  it("never flattens what matters to a fixed value, used or not", () => {
    expect(afterShown(0.9, true, 0).importance).toBeGreaterThanOrEqual(0.9);
    expect(afterShown(0.9, false, 0).importance).toBe(0.9);
  });
});
