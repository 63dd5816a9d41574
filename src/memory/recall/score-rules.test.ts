import { describe, expect, it } from "vitest";
import { aMemory, dayIso, dayMs } from "../testing/a-memory.ts";
import { fadingDays, importanceFactor, lengthFactor, recencyBonus, timeFactor } from "./score-rules.ts";

describe("the seed's rules for one score", () => {
  it.each([
    // 0.1 · e^(−days/14)
    [0, 0.1],
    [7, 0.060653],
    [14, 0.036788],
    [28, 0.013534],
  ])("after %i days, %f is added", (days, bonus) => {
    expect(recencyBonus(aMemory(), dayMs(days))).toBeCloseTo(bonus, 6);
  });

  it.each([
    [0, 0.7],
    [0.7, 0.91],
    [1, 1],
  ])("importance %f weighs %f", (importance, factor) => {
    expect(importanceFactor({ importance })).toBeCloseTo(factor, 10);
  });

  it.each([
    // 1 / (1 + ½ · log2(length / 500))
    [100, 1],
    [500, 1],
    [800, 0.746806], // log2 1.6 = 0.678072; 1 / 1.339036
    [1000, 0.666667],
    [2000, 0.5],
    [4000, 0.4],
  ])("%i characters weigh %f", (length, factor) => {
    expect(lengthFactor(length)).toBeCloseTo(factor, 5);
  });

  it.each([
    // 60 · (1 + ½ · ln(1 + uses · 2^(−days since/30))), at most 180; a third for dynamic ones
    [0, 0, "static", 60],
    [1, 0, "static", 80.7944], // ln 2 = 0.693147
    [3, 0, "static", 101.5888], // ln 4 = 1.386294
    [10, 0, "static", 131.9369], // ln 11 = 2.397895
    [54, 0, "static", 180],
    [4, 30, "static", 92.9584], // two are left: ln 3 = 1.098612
    [0, 0, "dynamic", 20],
  ] as const)("%i uses, %i days ago, %s: fades over %f days", (accessCount, ago, temporalType, days) => {
    const memory = aMemory({ accessCount, temporalType, lastAccessedAt: accessCount > 0 ? dayIso(0) : null });
    expect(fadingDays(memory, dayMs(ago))).toBeCloseTo(days, 3);
  });

  it.each([
    [0, 1],
    [60, 0.68394], // ½ + ½ · e^−1
    [180, 0.524894], // ½ + ½ · e^−3
    [9999, 0.5],
  ])("time leaves, after %i days, %f", (days, factor) => {
    expect(timeFactor(aMemory(), dayMs(days))).toBeCloseTo(factor, 5);
  });
});
