import { describe, expect, it } from "vitest";
import { aMemory, dayIso, dayMs } from "../testing/a-memory.ts";
import { decayBoost, decayOf, frequencyOf, halfLifeOf } from "./decay.ts";

describe("the half-life", () => {
  it.each([
    // 30 · e^(1.5 · importance); a third of it for what is true for a while
    [0, "static", 30],
    [0.5, "static", 63.51], // e^0.75 = 2.117
    [0.7, "static", 85.7295], // e^1.05 = 2.857651
    [1, "static", 134.4507], // e^1.5 = 4.481689
    [0.7, "dynamic", 28.5765],
  ] as const)("of importance %f, %s, is %f days", (importance, temporalType, days) => {
    expect(halfLifeOf({ importance, temporalType })).toBeCloseTo(days, 4);
  });
});

describe("recency", () => {
  it.each([
    // importance 0.7: λ = 0.693147 / 85.7295 = 0.00808528
    ["working", "static", 0, 1],
    ["working", "static", 30, 0.784618], // exp(−0.00808528 · 30 = −0.242558)
    ["core", "static", 30, 0.884392], // 30^0.8 = 15.1949; exp(−0.122855)
    ["peripheral", "static", 30, 0.510225], // 30^1.3 = 83.2264; exp(−0.672903)
    ["working", "dynamic", 30, 0.483031], // three times the λ: 0.784618³
    ["working", "static", 85.7295, 0.5], // its half-life
    ["working", "static", 365, 0.052281], // exp(−2.951127)
  ] as const)("in tier %s, %s, after %f days is %f", (tier, temporalType, days, recency) => {
    expect(decayOf(aMemory({ tier, temporalType }), dayMs(days)).recency).toBeCloseTo(recency, 5);
  });

  it("counts from the last use, or from the beginning", () => {
    const used = aMemory({ accessCount: 1, lastAccessedAt: dayIso(20) });
    expect(decayOf(used, dayMs(30)).days).toBe(10);
    expect(decayOf(aMemory(), dayMs(30)).days).toBe(30);
    expect(decayOf(aMemory(), dayMs(-5)).days).toBe(0);
  });
});

describe("frequency", () => {
  it.each([
    // 1 − e^(−uses/5), times ½ + ½·e^(−gap/30); gap = days between first and last over uses − 1
    [0, 0, 0],
    [1, 20, 0.181269], // one use has no gap
    [3, 20, 0.387239], // 0.451188 · (0.5 + 0.5 · e^(−10/30) = 0.858266)
    [11, 100, 0.763167], // 0.889197 · 0.858266
    [11, 0, 0.887717], // all on one day: gap 0.1; 0.889197 · (0.5 + 0.5 · 0.996672)
  ])("of %i uses over %i days is %f", (accessCount, span, frequency) => {
    expect(frequencyOf(aMemory({ accessCount, lastAccessedAt: dayIso(span) }))).toBeCloseTo(frequency, 5);
  });
});

describe("the composite", () => {
  it("weighs recency, frequency and what it is worth in itself", () => {
    const memory = aMemory({ accessCount: 3, lastAccessedAt: dayIso(20) });
    // 10 days since: e^(−0.0808528) = 0.922329; 0.4 · 0.922329 + 0.3 · 0.387239 + 0.3 · 0.49
    expect(decayOf(memory, dayMs(30)).composite).toBeCloseTo(0.632104, 5);
  });
});

describe("the boost in a search", () => {
  it.each([
    // 0.3 + 0.7 · max(floor, composite, recency)
    ["working", 0, 1, "recency"],
    ["working", 30, 0.849233, "recency"], // 0.3 + 0.7 · 0.784618
    ["working", 365, 0.79, "tier"], // 0.3 + 0.7 · 0.7
    ["core", 3650, 0.93, "tier"],
    ["peripheral", 3650, 0.65, "tier"],
  ] as const)("in tier %s after %i days is %f, held by %s", (tier, days, factor, heldBy) => {
    const boost = decayBoost(aMemory({ tier }), dayMs(days));
    expect(boost.factor).toBeCloseTo(factor, 5);
    expect(boost.heldBy).toBe(heldBy);
  });
});
