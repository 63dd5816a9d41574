import { describe, expect, it } from "vitest";
import { shownTokens, stubQuery } from "./stubs.ts";

const settings = {
  stubLargeToolPayloads: true,
  contextThreshold: 0.75,
  freshTailCount: 64,
  freshTailMaxTokens: 300,
};

describe("when old results are shown as stubs", () => {
  it("is above a share of the budget, by steps of a fifth of it", () => {
    expect(stubQuery(1_001, settings)).toEqual({
      above: 750,
      freshItems: 64,
      freshTokens: 300,
      stepTokens: 200,
      fullAt: 1_001,
    });
    expect(stubQuery(1_001, { ...settings, freshTailMaxTokens: null })?.freshTokens).toBe(400);
    expect(stubQuery(4, settings)?.stepTokens).toBe(1);
  });

  it("is never when it is switched off", () => {
    expect(stubQuery(1_000, { ...settings, stubLargeToolPayloads: false })).toBeUndefined();
  });

  it.each([
    // All whole, up to the border.
    [750, 100, 750],
    // Above it: the stubs, plus the fresh results and one step in full.
    [751, 100, 600],
    // Never more than the total.
    [751, 700, 751],
    [751, 251, 751],
    [751, 250, 750],
  ])("gives %d tokens, %d as stubs, as at most %d", (contextTokens, contextStubTokens, shown) => {
    const stubs = stubQuery(1_000, settings);
    expect(shownTokens({ contextTokens, contextStubTokens }, stubs)).toBe(shown);
    expect(shownTokens({ contextTokens, contextStubTokens }, undefined)).toBe(contextTokens);
  });
});
