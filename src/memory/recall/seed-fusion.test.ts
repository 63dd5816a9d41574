import { describe, expect, it } from "vitest";
import { fuseScores, vectorScore, wordScore } from "./seed-fusion.ts";

describe("the units of the seed", () => {
  it.each([
    // 1 / (1 + distance), distance = 1 − cosine
    [0, 1],
    [0.25, 0.8],
    [1, 0.5],
    [2, 0.333333],
  ])("a distance of %f scores %f", (distance, score) => {
    expect(vectorScore(distance)).toBeCloseTo(score, 6);
  });

  it.each([
    // 1 / (1 + e^(−raw/5))
    [0, 0.5],
    [-3, 0.5],
    [1, 0.549834], // e^−0.2 = 0.818731
    [5, 0.731059], // e^−1 = 0.367879
    [6, 0.768525], // e^−1.2 = 0.301194
    [14.7, 0.949789], // e^−2.94 = 0.052866
  ])("a BM25 of %f scores %f", (raw, score) => {
    expect(wordScore(raw)).toBeCloseTo(score, 5);
  });
});

describe("fused scores", () => {
  it.each([
    [0.8, 0.731059, 0.779318], // 0.56 + 0.219318
    [0.5, 0.768525, 0.707043], // carried by words: 0.92 · 0.768525; the sum would be 0.580558
    [0.5, 0.749, 0.5747], // just below strong: 0.35 + 0.2247
    [0.5, null, 0.35],
    [null, 0.6, 0.6], // words alone count in full
    [Number.NaN, null, 0.1],
    [1, 1, 1],
  ])("of vector %s and words %s: %f", (vector, words, score) => {
    expect(fuseScores(vector, words)).toBeCloseTo(score, 5);
  });
});
