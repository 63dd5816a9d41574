import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SupportSlice } from "../memory-types.ts";
import { addVoice, MOST_SLICES, strengthOf, supportOf } from "./support.ts";
import { dayIso } from "./testing/a-memory.ts";

function slice(context: string, confirmations: number, contradictions: number, day = 0): SupportSlice {
  return { context, confirmations, contradictions, lastObservedAt: dayIso(day) };
}

describe("support", () => {
  it.each([
    // c/(c+x); 0.9 + 0.2 · (c+1)/(c+x+2)
    [0, 0, 0.5, 1],
    [1, 0, 1, 1.033333],
    [3, 0, 1, 1.06],
    [18, 0, 1, 1.09],
    [0, 1, 0, 0.966667],
    [0, 3, 0, 0.94],
    [2, 2, 0.5, 1],
    [3, 1, 0.75, 1.033333],
  ])("%i for and %i against: strength %f, factor %f", (c, x, strength, factor) => {
    expect(strengthOf(slice("general", c, x))).toBeCloseTo(strength, 10);
    expect(supportOf([slice("general", c, x)]).factor).toBeCloseTo(factor, 6);
  });

  it("stays between 0.9 and 1.1", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), (c, x) => {
        const { factor } = supportOf([slice("general", c, x)]);
        expect(factor).toBeGreaterThan(0.9);
        expect(factor).toBeLessThan(1.1);
      }),
    );
  });

  it("adds a voice to its situation", () => {
    const once = addVoice([], "work", "confirms", dayIso(1));
    const twice = addVoice(once, "work", "contradicts", dayIso(2));
    expect(twice).toEqual([slice("work", 1, 1, 2)]);
    expect(addVoice(twice, "general", "confirms", dayIso(3))).toHaveLength(2);
  });

  it("keeps eight situations: the one unheard of for longest goes, never the general one", () => {
    const full = [
      slice("general", 1, 0, 0),
      ...Array.from({ length: 7 }, (_, i) => slice(`c${i}`, 1, 0, i + 1)),
    ];
    const after = addVoice(full, "new", "confirms", dayIso(20));
    expect(after).toHaveLength(MOST_SLICES);
    expect(after.map(({ context }) => context)).toEqual([
      "general",
      "c1",
      "c2",
      "c3",
      "c4",
      "c5",
      "c6",
      "new",
    ]);
  });
});
