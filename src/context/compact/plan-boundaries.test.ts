/** The boundaries at which plans change: one token, one item or one depth more or less. */
import { describe, expect, it } from "vitest";
import type { ShapeItem } from "../../store/store.ts";
import type { Chunk, LeafChunk } from "./plan/chunk.ts";
import { firstItem, leaving, sourcesIn } from "./plan/chunk.ts";
import { placeOfChunk, replaceSources } from "./plan/place-of-chunk.ts";
import { planBridging, planShortening } from "./plan/plan-bridging.ts";
import {
  fanout,
  leafChunks,
  type PlanSettings,
  planCondensing,
  planLeaves,
  planLifting,
  smallestLeaf,
} from "./plan/plan-compaction.ts";
import { shapeOf } from "./testing/shape-of.ts";

const SETTINGS: PlanSettings = {
  freshTailCount: 2,
  freshTailMaxTokens: 1_000,
  leafChunkTokens: 40,
  leafMinFanout: 3,
  condensedMinFanout: 2,
  condensedMinFanoutHard: 2,
};
const TAIL = ["u1", "a1"];
const seqs = (chunks: readonly LeafChunk[]) => chunks.map((chunk) => chunk.seqs);

describe("the smallest leaf", () => {
  it("is a quarter of a chunk, and at most 600 tokens", () => {
    expect(
      [40, 43, 2_400, 2_404, 20_000].map((leafChunkTokens) => smallestLeaf({ leafChunkTokens })),
    ).toEqual([10, 10, 600, 600, 600]);
  });

  it("is made, and one token less waits", () => {
    expect(planLeaves(shapeOf("u5", "a5", ...TAIL), SETTINGS)).toEqual([
      { kind: "leaf", seqs: [1, 2], tokens: 10, isShort: false },
    ]);
    expect(planLeaves(shapeOf("u5", "a4", ...TAIL), SETTINGS)).toEqual([]);
    expect(leafChunks(shapeOf("u5", "a4", ...TAIL), SETTINGS)).toEqual([
      { kind: "leaf", seqs: [1, 2], tokens: 9, isShort: true },
    ]);
  });
});

describe("leaves", () => {
  it("hold whole turns up to the cap, and a turn that is one token larger alone", () => {
    const leaves = (...codes: string[]) => seqs(planLeaves(shapeOf(...codes, ...TAIL), SETTINGS));
    expect(leaves("u10", "a10", "u10", "a10")).toEqual([[1, 2, 3, 4]]);
    expect(leaves("u10", "a10", "u10", "a11")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(leaves("u20", "a20")).toEqual([[1, 2]]);
    expect(leaves("u20", "a21")).toEqual([[1], [2]]);
    expect(leaves("u10", "a10", "u20", "a21", "u10", "a10")).toEqual([[1, 2, 3], [4], [5, 6]]);
  });

  it("keep a turn that fills the cap whole, and do not give its beginning to the chunk before", () => {
    expect(seqs(planLeaves(shapeOf("u10", "u20", "a20", ...TAIL), SETTINGS))).toEqual([[1], [2, 3]]);
  });

  it("are none where there are only summaries and system messages", () => {
    expect(leafChunks(shapeOf("S0", "s5", "S0", ...TAIL), SETTINGS)).toEqual([]);
    expect(leafChunks(shapeOf("S0", "u5", "s5", ...TAIL), SETTINGS)).toHaveLength(1);
  });

  it("leave a pair raw that reaches into the tail, and go on before it", () => {
    const list = shapeOf(
      "u20",
      "a10",
      ["a20", { calls: ["x"] }],
      "u20",
      ["t5", { results: ["x"] }],
      "u1",
      "a1",
    );
    expect(seqs(planLeaves(list, SETTINGS))).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    const open = shapeOf(
      "u20",
      "a10",
      ["a20", { calls: ["x"] }],
      "s1",
      ["t20", { results: ["x"] }],
      "a20",
      ...TAIL,
    );
    expect(seqs(planLeaves(open, SETTINGS))).toEqual([[1, 2], [6]]);
  });

  it("stay raw in the newest user message, wherever it is", () => {
    expect(seqs(planLeaves(shapeOf("u20", "a20", "u20", "a20", "a1", "a1"), SETTINGS))).toEqual([
      [1, 2],
      [4],
    ]);
    expect(seqs(planLeaves(shapeOf("a20", "a20", "a1", "a1"), SETTINGS))).toEqual([[1, 2]]);
    expect(planLeaves([], SETTINGS)).toEqual([]);
  });
});

describe("condensing", () => {
  const plan = (codes: string[], isHard = false, settings = SETTINGS) =>
    planCondensing(shapeOf(...codes, ...TAIL), settings, isHard);

  it("takes as many as are enough, and no fewer", () => {
    expect(plan(["S0", "S0"])).toBeUndefined();
    expect(plan(["S0", "S0", "S0"])).toEqual({
      kind: "condensed",
      depth: 1,
      ids: ["sum_0", "sum_1", "sum_2"],
      tokens: 30,
    });
    expect(plan(["S1"])).toBeUndefined();
    expect(plan(["S1", "S1"])).toMatchObject({ depth: 2, ids: ["sum_0", "sum_1"], tokens: 20 });
    expect(plan(["S0", "S0"], true)).toMatchObject({ depth: 1, ids: ["sum_0", "sum_1"] });
    expect(plan(["S0"], true)).toBeUndefined();
  });

  it("takes the oldest run of the shallowest depth", () => {
    expect(plan(["S2", "S2", "S1", "S1", "u5", "S1", "S1"])).toMatchObject({ ids: ["sum_2", "sum_3"] });
    expect(plan(["S1", "S1", "u5", "S0", "S0", "S0"])).toMatchObject({ ids: ["sum_3", "sum_4", "sum_5"] });
  });

  it("fills the cap exactly", () => {
    expect(plan(["S0", "S0", "S0", "S0", "S0"])?.ids).toHaveLength(4);
    expect(plan(["S0", "S0", "S0", "S0"], false, { ...SETTINGS, leafChunkTokens: 39 })?.ids).toHaveLength(3);
    expect(plan(["S0", "S0", "S0", "S0"], false, { ...SETTINGS, leafChunkTokens: 29 })?.ids).toHaveLength(3);
  });

  it("goes around truncations until room is needed", () => {
    expect(plan(["S0", "S0", "F0", "S0"])).toBeUndefined();
    expect(plan(["S0", "S0", "S0", "F0"])?.ids).toEqual(["sum_0", "sum_1", "sum_2"]);
    expect(plan(["S0", "F0", "S0"], true)?.ids).toEqual(["sum_0", "sum_1", "sum_2"]);
  });

  it("takes no messages, however many there are", () => {
    expect(plan(["u20", "a20", "u20", "a20"])).toBeUndefined();
    expect(plan(["u20", "S0", "a20", "S0", "u20", "S0"], true)).toBeUndefined();
  });

  it("asks for the number of its depth, or for fewer when room is needed", () => {
    const settings = { ...SETTINGS, leafMinFanout: 5, condensedMinFanout: 4, condensedMinFanoutHard: 2 };
    expect([0, 1, 2].map((depth) => fanout(depth, settings, false))).toEqual([5, 4, 4]);
    expect([0, 1, 2].map((depth) => fanout(depth, settings, true))).toEqual([2, 2, 2]);
  });
});

describe("lifting", () => {
  const lift = (...codes: string[]) => planLifting(shapeOf(...codes, ...TAIL), SETTINGS);

  it("takes a summary beside a deeper one, on either side, the shallowest and oldest first", () => {
    const lifted = (index: number, depth: number) => ({
      kind: "condensed",
      depth,
      ids: [`sum_${index}`],
      tokens: 10,
    });
    expect(lift("S1", "S0")).toEqual(lifted(1, 1));
    expect(lift("S0", "S1")).toEqual(lifted(0, 1));
    expect(lift("S2", "S1", "S0")).toEqual(lifted(2, 1));
    expect(lift("S0", "S1", "u5", "S1", "S0")).toEqual(lifted(0, 1));
    expect(lift("S2", "S1", "u5", "S1", "S0")).toEqual(lifted(4, 1));
  });

  it("takes none beside equals, messages or nothing", () => {
    for (const codes of [["S0", "S0"], ["S1", "u5", "S0"], ["S0"], ["u5"], []])
      expect(lift(...codes)).toBeUndefined();
  });
});

describe("bridging", () => {
  const bridge = (codes: string[], isHard = false, settings = SETTINGS) =>
    planBridging(shapeOf(...codes, ...TAIL), settings, isHard);

  it("makes a leaf of a short run between leaves, and says that it is a bridge", () => {
    expect(bridge(["S0", "u2", "a2", "S0"])).toEqual([
      { kind: "leaf", seqs: [2, 3], tokens: 4, isShort: true, isBridge: true },
    ]);
  });

  it("needs as many leaves and bridges as are condensed together", () => {
    const four = { ...SETTINGS, leafMinFanout: 4 };
    expect(bridge(["S0", "u2", "S0"], false, four)).toEqual([]);
    expect(seqs(bridge(["S0", "u2", "S0", "S0"], false, four))).toEqual([[2]]);
    expect(seqs(bridge(["S0", "S0", "u2", "S0"], false, four))).toEqual([[3]]);
    expect(seqs(bridge(["S0", "u2", "S0"], true, four))).toEqual([[2]]);
  });

  it("makes nothing of runs that are long, at an end, or beside something else", () => {
    for (const codes of [
      ["S0", "u10", "S0"],
      ["S0", "u2", "S1"],
      ["S1", "u2", "S0"],
      ["u2", "S0", "S0"],
      ["S0", "S0", "u2"],
      ["S0", "u2", "s1", "S0"],
      ["S0", "s1", "u2", "S0"],
      ["S0", "S1", "S0"],
    ])
      expect(bridge(codes)).toEqual([]);
  });

  it("starts a new stretch after what keeps leaves apart", () => {
    expect(seqs(bridge(["S0", "u2", "S0", "S1", "S0", "u2", "S0"]))).toEqual([[2], [6]]);
    expect(seqs(bridge(["S0", "S0", "S1", "u2", "S0", "u2", "S0"]))).toEqual([[6]]);
  });

  it("counts truncations only when room is needed", () => {
    expect(bridge(["S0", "u2", "F0"])).toEqual([]);
    expect(seqs(bridge(["S0", "u2", "F0"], true))).toEqual([[2]]);
  });

  it("leaves the fresh tail alone", () => {
    const list = shapeOf("S0", "u2", "S0", "u2", "u2");
    expect(seqs(planBridging(list, SETTINGS, true))).toEqual([[2]]);
    expect(seqs(planBridging(shapeOf("S0", "a2", "u2"), SETTINGS, true))).toEqual([]);
  });
});

describe("a tail that a tool pair pulls back over summaries", () => {
  const pulled = (...codes: string[]) =>
    shapeOf("u20", ["a1", { calls: ["x"] }], ...codes, ["t1", { results: ["x"] }]);
  const settings = { ...SETTINGS, freshTailCount: 1 };

  it("is left alone as well", () => {
    expect(planCondensing(pulled("S0", "S0", "S0"), settings, true)).toBeUndefined();
    expect(planLifting(pulled("S1", "S0"), settings)).toBeUndefined();
    expect(planBridging(pulled("S0", "u2", "S0"), settings, true)).toEqual([]);
  });
});

describe("shortening", () => {
  const shorten = (...codes: string[]) => seqs(planShortening(shapeOf(...codes, ...TAIL), SETTINGS));

  it("takes short runs right before a summary of any depth", () => {
    expect(shorten("u2", "a2", "S0")).toEqual([[1, 2]]);
    expect(shorten("u2", "S1", "a3", "F0")).toEqual([[1], [3]]);
  });

  it("takes no long run, and none before anything else", () => {
    expect(shorten("u10", "S0")).toEqual([]);
    expect(shorten("S0", "u2")).toEqual([]);
    expect(shorten("u2", "s1", "S0")).toEqual([]);
  });
});

describe("a chunk", () => {
  const leaf: Chunk = { kind: "leaf", seqs: [4, 5, 6], tokens: 30, isShort: false };
  const condensed: Chunk = { kind: "condensed", depth: 1, ids: ["sum_1", "sum_2"], tokens: 20 };
  const remade: Chunk = { ...leaf, replaces: { summary: "sum_9", tokenCount: 7 } };

  it("takes its sources out of the context, or the summary that it replaces", () => {
    expect([leaf, condensed, remade].map(sourcesIn)).toEqual([3, 2, 3]);
    expect([leaf, condensed, remade].map(leaving)).toEqual([
      { items: 3, tokens: 30 },
      { items: 2, tokens: 20 },
      { items: 1, tokens: 7 },
    ]);
    expect([leaf, condensed, remade].map(firstItem)).toEqual([4, "sum_1", "sum_9"]);
  });

  it("is found by its first item", () => {
    const list: ShapeItem[] = shapeOf("u1", "S0", "S0", "u1", "a1", "a1", "S0").filter(
      (_, index) => index !== 4,
    );
    const place = (chunk: Chunk) => placeOfChunk(list, chunk);
    expect(place(condensed)).toBe(1);
    expect(place({ ...condensed, ids: ["sum_6"] })).toBe(5);
    expect(place({ ...condensed, ids: ["sum_7"] })).toBe(-1);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((seq) => place({ ...leaf, seqs: [seq] }))).toEqual([
      0, -1, -1, 3, -1, 4, -1, -1,
    ]);
    expect(place({ ...leaf, seqs: [] })).toBe(-1);
    expect(placeOfChunk([], leaf)).toBe(-1);
  });

  it("gives its place to its summary, which is found there in turn", () => {
    const list = shapeOf("u1", "S0", "S0", "u1", "a1", "a1", "u1");
    const summary = { id: "sum_new", firstSeq: 4, tokenCount: 9, depth: 0, quality: "normal" } as const;
    replaceSources(list, leaf, summary);
    expect(list).toEqual([
      ...shapeOf("u1", "S0", "S0"),
      { ordinal: 4_096, type: "summary", summary: "sum_new", tokenCount: 9, depth: 0, quality: "normal" },
      ...shapeOf("u1", "u1", "u1", "u1", "u1", "u1", "u1").slice(6),
    ]);
    replaceSources(
      list,
      { ...leaf, replaces: { summary: "sum_new", tokenCount: 9 } },
      { ...summary, id: "b" },
    );
    expect(list.map((item) => (item.type === "summary" ? item.summary : item.seq))).toEqual([
      1,
      "sum_1",
      "sum_2",
      "b",
      7,
    ]);
    expect(placeOfChunk(list, { ...leaf, seqs: [7] })).toBe(4);
  });
});
