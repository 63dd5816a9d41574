import { describe, expect, it } from "vitest";
import { aMemory } from "../testing/a-memory.ts";
import { blendCosine, blendedScore, blendRerank } from "./rerank-blend.ts";
import type { Scored } from "./stage.ts";

function item(id: string, score: number, changes: Partial<Scored> = {}): Scored {
  return { memory: aMemory({ id }), score, vectorScore: null, wordScore: null, vector: null, ...changes };
}

describe("a reranker's score, blended", () => {
  it.each([
    // fused, words, reranker → 0.6 · reranker + 0.4 · fused, not below the floor
    [0.5, null, 0.9, 0.74], // 0.54 + 0.2
    [0.8, null, 0, 0.4], // 0.32, but half of 0.8 stays
    [0.8, 0.6, 0, 0.72], // nine tenths stay
    [0.8, 0.59, 0, 0.4],
    [0.8, 0.75, 0, 0.76], // ninety-five hundredths stay
    [0.9, null, 7, 0.96], // a logit counts as 1: 0.6 + 0.36
    [0.5, null, Number.NaN, 0.25],
    // not returned: 0.8 of it, or the floor of its words
    [0.5, null, null, 0.4],
    [0.5, 0.6, null, 0.475],
    [0.5, 0.75, null, 0.5],
  ])("fused %f, words %s, reranker %s: %f", (score, wordScore, rerank, expected) => {
    expect(blendedScore({ score, wordScore }, rerank)).toBeCloseTo(expected, 10);
  });

  it("keeps what was not returned and orders anew", () => {
    const { items, trace } = blendRerank([item("a", 0.9), item("b", 0.6)], new Map([["b", 1]]));
    // a: 0.9 · 0.8 = 0.72; b: 0.6 + 0.24 = 0.84
    expect(items.map(({ memory }) => memory.id)).toEqual(["b", "a"]);
    expect(trace).toMatchObject({ stage: "rerank", in: 2, out: 2, dropped: [] });
    expect(trace.changes.map(({ id, to }) => [id, Number(to.toFixed(10))])).toEqual([
      ["a", 0.72],
      ["b", 0.84],
    ]);
  });

  it("falls back on the cosine", () => {
    const { items } = blendCosine(
      [item("a", 0.5, { vector: [0, 1] }), item("b", 0.5, { vector: [1, 0] })],
      [1, 0],
    );
    // b: 0.35 + 0.3; a: 0.35 + 0
    expect(items.map(({ score }) => Number(score.toFixed(10)))).toEqual([0.65, 0.35]);
    expect(blendCosine(items, null).trace.note).toContain("neither");
  });
});
