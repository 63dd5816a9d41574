import { describe, expect, it } from "vitest";
import { dayIso, dayMs } from "../testing/a-memory.ts";
import {
  type Compared,
  confidenceOf,
  lcsF1,
  lcsLength,
  noveltyOf,
  recencyOf,
  utilityOf,
} from "./features.ts";

function compared(id: string, cosine: number, category = "events", day = 0): Compared {
  return { id, cosine, category, createdAt: dayIso(day) };
}

describe("confidence", () => {
  it.each([
    ["a b c d", "a b c d", 4],
    ["a b c d", "b d", 2],
    ["a b c d", "d c b a", 1],
    ["a x b y c", "a b c", 3],
    ["a", "", 0],
  ])("the longest common subsequence of %s and %s is %i", (a, b, length) => {
    expect(lcsLength(a.split(" "), b === "" ? [] : b.split(" "))).toBe(length);
  });

  it("F1 weighs both sides", () => {
    // 4 of 4 and 4 of 5: 2 · 1 · 0.8 / 1.8
    expect(lcsF1(["i", "live", "in", "berlin"], ["i", "live", "in", "berlin", "now"])).toBeCloseTo(
      0.888889,
      6,
    );
    expect(lcsF1([], [])).toBe(0);
  });

  it.each([
    // 0.7 · 0.888889 + 0.3 · 1
    ["I live in Berlin", "I live in Berlin now.", 0.922222],
    // all words, but scattered over lines of three: 3 of 4 and 3 of 3 in the best: 0.857143
    ["I live in Berlin", "I live in\nBerlin calling me", 0.9],
    // none of the words occur: 0 + 0 − 0.25, clamped
    ["Owns a yacht", "I live in Berlin.", 0],
    // 2 of 4 words: F1 = 0.5 (LCS 2 of 4 and of 4); 0.35 + 0.15 − 0.125
    ["I live alone happily", "I live in Berlin", 0.375],
    // a character a word: 4 of 4 and 4 of 6: 0.8; 0.56 + 0.3
    ["住在柏林", "我住在柏林呢", 0.86],
  ])("of %s, after %s: %f", (abstract, conversation, confidence) => {
    expect(confidenceOf({ abstract, content: "" }, conversation).confidence).toBeCloseTo(confidence, 6);
  });
});

describe("novelty", () => {
  it("is what is left by the nearest of its category", () => {
    const pool = [compared("a", 0.9, "profile"), compared("b", 0.6), compared("c", 0.54)];
    expect(noveltyOf("events", pool, 0.55)).toMatchObject({ maxSimilarity: 0.6, matched: [{ id: "b" }] });
    expect(noveltyOf("events", pool, 0.55).novelty).toBeCloseTo(0.4, 10);
    // none of its own category: all count
    expect(noveltyOf("cases", pool, 0.55).novelty).toBeCloseTo(0.1, 10);
    expect(noveltyOf("cases", [], 0.55)).toEqual({ novelty: 1, maxSimilarity: 0, matched: [] });
  });
});

describe("recency", () => {
  it.each([
    // 1 − 2^(−days/14), to the newest
    [0, 0],
    [7, 0.292893],
    [14, 0.5],
    [28, 0.75],
  ])("%i days after the same was noted: %f", (days, recency) => {
    expect(recencyOf([compared("a", 1, "events", -50), compared("b", 1)], dayMs(days), 14)).toBeCloseTo(
      recency,
      6,
    );
  });

  it("is 1 for what was never noted", () => {
    expect(recencyOf([], dayMs(0), 14)).toBe(1);
  });
});

it("utility is a half when nobody rated it", () => {
  expect([utilityOf(null), utilityOf(Number.NaN), utilityOf(0.2), utilityOf(7)]).toEqual([0.5, 0.5, 0.2, 1]);
});
