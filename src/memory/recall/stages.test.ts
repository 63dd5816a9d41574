import { describe, expect, it } from "vitest";
import type { Memory } from "../../memory-types.ts";
import { aMemory, dayIso, dayMs } from "../testing/a-memory.ts";
import { inOrder, type Scored } from "./stage.ts";
import { BEFORE_RERANK, fromRerank, runStages, SEED_ORDER, type StageInput } from "./stages.ts";

function item(
  id: string,
  score: number,
  changes: Partial<Memory> = {},
  vector: number[] | null = null,
): Scored {
  return { memory: aMemory({ id, ...changes }), score, vectorScore: null, wordScore: null, vector };
}

const INPUT: StageInput = {
  now: dayMs(30),
  limit: 2,
  rerank: null,
  queryVector: null,
  diversityAbove: null,
};

function ids(items: readonly Scored[]): string[] {
  return items.map(({ memory }) => memory.id);
}

describe("orders", () => {
  it("are the seed's, complete, and the one with tiers", () => {
    const seeds =
      "min_score rerank_window rerank recency_boost importance_weight length_norm time_decay hard_min_score noise diversity limit";
    const ours = (name: string) => name !== "expiry" && name !== "support";
    expect(SEED_ORDER.filter(ours).join(" ")).toBe(seeds);
    expect([...BEFORE_RERANK, ...fromRerank(SEED_ORDER)]).toEqual(SEED_ORDER);
  });

  it("nothing that only demotes comes before a threshold", () => {
    for (const name of ["noise", "expiry", "support"] as const)
      expect(SEED_ORDER.indexOf(name)).toBeGreaterThan(SEED_ORDER.indexOf("hard_min_score"));
  });
});

it("of two that score alike, the one said later comes first, whenever it was captured", () => {
  const [older, newer] = [
    item("a", 0.5, { createdAt: dayIso(30) }),
    item("b", 0.5, { createdAt: dayIso(20), validFrom: dayIso(20) }),
  ];
  expect(ids(inOrder([older, newer]))).toEqual(["b", "a"]);
  expect(ids(inOrder([item("d", 0.5), item("c", 0.5)]))).toEqual(["c", "d"]);
});

describe("stages", () => {
  it("run in the seed's order and leave a trace of each", () => {
    const { items, traces } = runStages(SEED_ORDER, [item("a", 0.8), item("b", 0.25)], INPUT);
    // a: + 0.1·e^(−30/14) = 0.811732; · 0.91 = 0.738676; · 1; · (½ + ½·e^(−½) = 0.803265) = 0.593353
    expect(items[0]?.score).toBeCloseTo(0.593353, 5);
    expect(traces.map(({ stage }) => stage)).toEqual(SEED_ORDER);
    expect(traces[0]).toMatchObject({ stage: "min_score", in: 2, out: 1, dropped: ["b"] });
    expect(traces[4]?.changes).toMatchObject([{ id: "a" }]);
  });

  it("let a memory fade, and say why", () => {
    const { items, traces } = runStages(["decay_boost"], [item("a", 0.8)], INPUT);
    expect(items[0]?.score).toBeCloseTo(0.679386, 5); // 0.8 · 0.849233
    expect(traces.find(({ stage }) => stage === "decay_boost")?.changes[0]?.reason).toContain("recency");
  });

  it("noise and expiry move a memory down and never out", () => {
    const items = [
      item("greeting", 0.9, { abstract: "Hello!" }),
      item("expired", 0.8, { validUntil: dayIso(1) }),
      item("fact", 0.5),
    ];
    const result = runStages(["hard_min_score", "noise", "expiry"], items, INPUT);
    expect(ids(result.items)).toEqual(["fact", "greeting", "expired"]); // 0.5, 0.45, 0.4
    expect(result.traces.flatMap(({ dropped }) => dropped)).toEqual([]);
  });

  it("support settles between equals", () => {
    const slice = { context: "general", confirmations: 3, contradictions: 0, lastObservedAt: dayIso(1) };
    const { items } = runStages(["support"], [item("a", 0.5), item("b", 0.5, { support: [slice] })], INPUT);
    expect(ids(items)).toEqual(["b", "a"]);
    expect(items[0]?.score).toBeCloseTo(0.53, 10); // 0.5 · (0.9 + 0.2 · 4/5)
  });

  it("diversity is off unless it is asked for, and defers without dropping", () => {
    const items = [
      item("a", 0.9, {}, [1, 0]),
      item("b", 0.8, {}, [1, 0.01]),
      item("c", 0.7, {}, [0, 1]),
      item("d", 0.6),
    ];
    expect(ids(runStages(["diversity"], items, INPUT).items)).toEqual(["a", "b", "c", "d"]);
    const diverging = { ...INPUT, diversityAbove: 0.85 };
    const { items: diverse, traces } = runStages(["diversity"], items, diverging);
    expect(ids(diverse)).toEqual(["a", "c", "d", "b"]);
    expect(diverse.at(-1)?.score).toBe(0.8);
    expect(traces[0]?.note).toBe("Deferred: b.");
    expect(ids(runStages(["diversity", "limit"], items, diverging).items)).toEqual(["a", "c"]);
  });

  it("the reranker sees twice the limit", () => {
    const many = Array.from({ length: 9 }, (_, i) => item(`m${i}`, 0.9 - i / 100));
    expect(runStages(BEFORE_RERANK, many, INPUT).items).toHaveLength(4);
  });

  it("equal scores are in the order of their ids", () => {
    expect(ids(runStages(["support"], [item("b", 0.5), item("a", 0.5)], INPUT).items)).toEqual(["a", "b"]);
  });
});
