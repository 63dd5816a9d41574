import { describe, expect, it } from "vitest";
import { type ShapeCode, shapeOf } from "../testing/shape-of.ts";
import { freshTailStart, freshTailTokens, safeCuts } from "./fresh-tail.ts";

const tail = (freshTailCount: number, freshTailMaxTokens: number, ...codes: ShapeCode[]) =>
  freshTailStart(shapeOf(...codes), { freshTailCount, freshTailMaxTokens });

describe("the fresh tail", () => {
  it("takes 40 % of the budget unless the settings say how much", () => {
    expect(freshTailTokens({ freshTailMaxTokens: null }, 1_001)).toBe(400);
    expect(freshTailTokens({ freshTailMaxTokens: 7 }, 1_000)).toBe(7);
    expect(freshTailTokens({ freshTailMaxTokens: 0 }, 1_000)).toBe(0);
  });

  it("has so many messages, and as many tokens as it may", () => {
    expect(tail(2, 100, "u10", "a10", "u10", "a10")).toBe(2);
    expect(tail(9, 30, "u10", "a10", "u10", "a10")).toBe(1);
    expect(tail(9, 29, "u10", "a10", "u10", "a10")).toBe(2);
    expect(tail(9, 100, "u10", "a10")).toBe(0);
    expect(tail(0, 100, "u10", "a10")).toBe(2);
    expect(tail(9, 100)).toBe(0);
  });

  it("has the newest message, however long it is", () => {
    expect(tail(9, 5, "u10", "a10")).toBe(1);
  });

  it("ends at a summary", () => {
    expect(tail(9, 100, "u10", "S0", "a10", "u10")).toBe(2);
    expect(tail(9, 100, "u10", "S0")).toBe(2);
  });

  it("moves on past a pair that it would part, or back where nothing would be left", () => {
    const call = ["a10", { calls: ["x"] }] as const;
    const result = ["t10", { results: ["x"] }] as const;
    expect(tail(2, 100, "u10", call, result, "a10")).toBe(3);
    expect(tail(1, 100, "u10", call, result)).toBe(1);
    expect(tail(1, 100, call, "u10", result)).toBe(0);
    expect(tail(3, 100, "u10", call, result, "a10")).toBe(1);
  });
});

describe("safe cuts", () => {
  const safe = (...codes: ShapeCode[]) => {
    const list = shapeOf(...codes);
    const isSafe = safeCuts(list);
    return Array.from({ length: list.length + 1 }, (_, index) => isSafe(index));
  };

  it("are before the first and after the last that speak of a call, in either order", () => {
    const call = ["a1", { calls: ["x"] }] as const;
    const result = ["t1", { results: ["x"] }] as const;
    expect(safe("u1", call, "u1", result, "u1")).toEqual([true, true, false, false, true, true]);
    expect(safe("u1", result, "u1", call, "u1")).toEqual([true, true, false, false, true, true]);
    expect(safe(call, result, result)).toEqual([true, false, false, true]);
    expect(safe(call)).toEqual([true, true]);
    expect(safe()).toEqual([true]);
  });

  it("are none inside of overlapping pairs, and one between neighbours", () => {
    const open = (...calls: string[]) => ["a1", { calls }] as const;
    const close = (...results: string[]) => ["t1", { results }] as const;
    expect(safe(open("x"), open("y"), close("x"), close("y"))).toEqual([true, false, false, false, true]);
    expect(safe(open("x"), close("x"), open("y"), close("y"))).toEqual([true, false, true, false, true]);
    expect(safe(open("x", "y"), close("x"), close("y"))).toEqual([true, false, false, true]);
    expect(safe(open("x"), "S0", close("x"))).toEqual([true, false, false, true]);
  });
});
