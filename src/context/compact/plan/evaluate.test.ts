import { describe, expect, it } from "vitest";
import { configSchema } from "../../../config/schema.ts";
import { NO_HOST } from "../../../store/rules/host-context.ts";
import { AT } from "../../../store/testing/sample.ts";
import { evaluateContext, sizeOf } from "./evaluate.ts";

const settings = {
  ...configSchema.parse({}),
  contextThreshold: 0.5,
  hardThreshold: 0.9,
  compactTarget: 0.333,
  maxActiveMessages: 10,
  stubLargeToolPayloads: false,
};

function evaluate(contextItems: number, contextTokens: number, observed?: number, more: object = {}) {
  const conversation = {
    id: "conv_a",
    sessionId: "s",
    sessionKey: null,
    ...NO_HOST,
    title: null,
    titleIsAutomatic: false,
    createdAt: AT,
    updatedAt: AT,
    archivedAt: null,
    messageCount: contextItems,
    tokenCount: contextTokens,
    headHash: "",
    contextItems,
    contextTokens,
    contextStubTokens: 0,
  };
  return evaluateContext(conversation, 1_000, { ...settings, ...more }, observed);
}

describe("whether a context should be compacted", () => {
  it.each([
    ["fine", 1, 488, undefined, null],
    ["soft", 1, 489, undefined, "501 tokens exceed 0.5 of 1000"],
    ["soft", 1, 888, undefined, "900 tokens exceed 0.5 of 1000"],
    ["hard", 1, 889, undefined, "901 tokens exceed 0.9 of 1000"],
    ["fine", 10, 0, undefined, null],
    ["soft", 11, 0, undefined, "11 items exceed 10"],
    ["fine", 1, 0, 500, null],
    ["soft", 1, 0, 501, "501 tokens exceed 0.5 of 1000"],
    ["soft", 1, 490, 10, "502 tokens exceed 0.5 of 1000"],
  ] as const)("is %s with %d items of %d tokens, and %s seen", (level, items, tokens, observed, reason) => {
    const evaluation = evaluate(items, tokens, observed);
    expect([evaluation.level, evaluation.reason]).toEqual([level, reason]);
    expect(evaluation.tokens).toBe(Math.max(observed ?? 0, tokens + 12 * items));
  });

  it("says down to where it would work, which is not a number of tokens when there are too many items", () => {
    expect(evaluate(1, 0)).toEqual({
      conversation: "conv_a",
      tokens: 12,
      items: 1,
      budget: 1_000,
      target: 333,
      level: "fine",
      reason: null,
    });
    expect(evaluate(1, 900).target).toBe(333);
    expect(evaluate(11, 0).target).toBe(0);
    expect(evaluate(11, 0, undefined, { maxActiveMessages: null }).level).toBe("fine");
  });

  it("counts results as stubs where they are shown so", () => {
    const stubs = { stubLargeToolPayloads: true, freshTailMaxTokens: 100 };
    // 0 tokens as stubs, 100 fresh ones, a step of 200, and 12 for the item.
    expect(evaluate(1, 5_000, undefined, stubs).tokens).toBe(312);
  });

  it("counts a frame for each item", () => {
    expect(sizeOf({ contextItems: 3, contextTokens: 100 })).toBe(136);
  });
});
