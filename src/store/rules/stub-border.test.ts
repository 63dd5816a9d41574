import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wholeTokens } from "./stub-border.ts";

const context = { all: 1_000, asStubs: 400, newest: 300, last: 50 };
const query = { above: 600, freshTokens: 250, stepTokens: 100, fullAt: 2_000 };

describe("how many of the newest tokens are shown whole", () => {
  it.each<[string, Partial<typeof context>, Partial<typeof query>, number]>([
    // The border is at the last multiple of 100 at or before 1,000 - 250.
    ["at least the fresh ones, from a multiple of the step", {}, {}, 300],
    ["exactly the fresh ones, when a step ends with them", {}, { freshTokens: 200 }, 200],
    ["one token more takes a whole step more", {}, { freshTokens: 201 }, 300],
    ["no more than the newest items have", { newest: 120 }, {}, 200],
    ["all, when all are fresh", { all: 200, newest: 200 }, {}, 200],
    ["all, up to the first step", { all: 349, newest: 250 }, {}, 349],
    ["less by the first step, once it is full", { all: 350, newest: 250 }, {}, 250],
    ["all, when more is fresh than there is", { all: 200, newest: 300 }, { freshTokens: 300 }, 200],
    ["in whole steps while the context is exactly full", { all: 2_000 }, { freshTokens: 240 }, 300],
    ["in half steps once it is more than full", { all: 2_001 }, { freshTokens: 240 }, 251],
    ["in steps of one token where the step is less", {}, { stepTokens: 0 }, 250],
    [
      "in steps of one token where half of it is less",
      { all: 2_001, last: 5 },
      { stepTokens: 1, freshTokens: 7 },
      7,
    ],
    [
      "the newest item as a whole, where the rest fits as stubs",
      { newest: 500, last: 450 },
      { above: 850 },
      450,
    ],
    ["not the newest item, where they do not fit", { newest: 500, last: 450 }, { above: 849 }, 300],
    ["not less than the fresh ones, for a small newest item", { last: 10 }, { above: 5_000 }, 300],
  ])("%s", (_, counted, asked, expected) => {
    expect(wholeTokens({ ...context, ...counted }, { ...query, ...asked })).toBe(expected);
  });

  it("stays where it is until a whole step has come", () => {
    const tokens = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(tokens, fc.integer({ min: 1, max: 500 }), tokens, (all, stepTokens, freshTokens) => {
        const borderOf = (total: number) =>
          total -
          wholeTokens(
            { all: total, asStubs: total, newest: total, last: 0 },
            { ...query, above: 0, freshTokens, stepTokens, fullAt: Infinity },
          );
        expect(borderOf(all) % stepTokens).toBe(0);
        expect(all - borderOf(all)).toBeGreaterThanOrEqual(Math.min(all, freshTokens));
        expect(all - borderOf(all)).toBeLessThan(freshTokens + stepTokens);
        expect(borderOf(all + 1) - borderOf(all)).toBeLessThanOrEqual(stepTokens);
      }),
    );
  });
});
