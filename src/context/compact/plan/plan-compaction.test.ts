import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShapeItem } from "../../../store/store.ts";
import type { Chunk } from "./chunk.ts";
import { freshTailStart } from "./fresh-tail.ts";
import { planBridging } from "./plan-bridging.ts";
import { type PlanSettings, planCondensing, planLeaves, planLifting } from "./plan-compaction.ts";

const SETTINGS: PlanSettings = {
  freshTailCount: 2,
  freshTailMaxTokens: 1000,
  leafChunkTokens: 30,
  leafMinFanout: 3,
  condensedMinFanout: 2,
  condensedMinFanoutHard: 2,
};

type Tools = { calls?: string[]; results?: string[] };

/** `u10` is a user message of 10 tokens, `a` assistant, `t` tool, `s` system; `S0` a summary of depth 0. */
function items(...list: (string | [string, Tools])[]): ShapeItem[] {
  return list.map((entry, index) => {
    const [code, tools] = typeof entry === "string" ? [entry, {} as Tools] : entry;
    const size = Number(code.slice(1) || 1);
    const ordinal = (index + 1) * 1024;
    if (code.startsWith("S"))
      return {
        ordinal,
        type: "summary",
        summary: `sum_${index}`,
        tokenCount: 10,
        depth: size,
        quality: "normal",
      };
    const role = ({ u: "user", a: "assistant", t: "tool", s: "system" } as const)[code[0] as "u"] ?? "user";
    return {
      ordinal,
      type: "message",
      seq: index + 1,
      tokenCount: size,
      role,
      toolCalls: tools.calls ?? [],
      toolResults: tools.results ?? [],
    };
  });
}

const leaves = (list: ShapeItem[], settings = SETTINGS) =>
  planLeaves(list, settings).map((chunk) => (chunk.kind === "leaf" ? chunk.seqs : []));

describe("planning leaves", () => {
  it("takes whole turns up to the cap and leaves the tail alone", () => {
    expect(leaves(items("u10", "a10", "u10", "a10", "u5", "a5", "u1", "a1"))).toEqual([
      [1, 2],
      [3, 4, 5, 6],
    ]);
  });

  it("never parts a tool call from its result", () => {
    const list = items("u8", ["a10", { calls: ["x"] }], ["t30", { results: ["x"] }], "a8", "u1", "a1", "u1");
    expect(leaves(list)).toEqual([[1], [2, 3], [4, 5]]);
  });

  it("moves the tail so that a pair lies on one side of its start", () => {
    const list = items("u5", "a5", "u5", ["a5", { calls: ["x"] }], ["t5", { results: ["x"] }], "a5");
    expect(freshTailStart(list, { ...SETTINGS, freshTailCount: 2 })).toBe(5);
    const open = items("u5", "a5", "u5", ["a5", { calls: ["x"] }], ["t5", { results: ["x"] }]);
    expect(freshTailStart(open, { ...SETTINGS, freshTailCount: 1 })).toBe(3);
    expect(leaves(open, { ...SETTINGS, freshTailCount: 1 })).toEqual([[1, 2]]);
  });

  it("stops at summaries, system messages and the newest user message", () => {
    expect(leaves(items("s5", "u5", "a5", "S0", "a9", "u5", "a5", "a5", "a1", "a1"))).toEqual([
      [2, 3],
      [5],
      [7, 8],
    ]);
  });

  it("lets a short run wait, also between summaries", () => {
    expect(leaves(items("a2", "u2", "a1", "u1", "a1"))).toEqual([]);
    expect(leaves(items("S0", "u2", "a2", "S0", "u2", "a1", "u1", "a1"))).toEqual([]);
  });

  it("compacts a run with a single prompt", () => {
    const list = items("u5", ...Array.from({ length: 10 }, () => "a10"));
    expect(leaves(list)).toEqual([
      [2, 3, 4],
      [5, 6, 7],
      [8, 9],
    ]);
  });

  it("covers each eligible message once, in order, at any shape", () => {
    const entry = fc.oneof(
      fc.tuple(fc.constantFrom("u", "a", "t", "s"), fc.nat(50)).map(([role, size]) => `${role}${size + 1}`),
      fc.constant("S0"),
    );
    const pairs = fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), pairs, (codes, spans) => {
        const list = items(...codes);
        spans.forEach(([first, second], number) => {
          for (const [index, kind] of [
            [first, "toolCalls"],
            [second, "toolResults"],
          ] as const) {
            const item = list[index];
            if (item?.type === "message") (item[kind] as string[]).push(`call-${number}`);
          }
        });
        const chunks = leaves(list);
        const seqs = chunks.flat();
        expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        expect(new Set(seqs).size).toBe(seqs.length);
        const tail = freshTailStart(list, SETTINGS);
        for (const chunk of chunks) {
          const [first, last] = [chunk[0] ?? 0, chunk.at(-1) ?? 0];
          expect(last - first + 1).toBe(chunk.length);
          expect(last).toBeLessThanOrEqual(tail);
          const inside = list
            .slice(first - 1, last)
            .flatMap((item) => (item.type === "message" ? [...item.toolCalls, ...item.toolResults] : []));
          const outside = [...list.slice(0, first - 1), ...list.slice(last)].flatMap((item) =>
            item.type === "message" ? [...item.toolCalls, ...item.toolResults] : [],
          );
          expect(inside.filter((id) => outside.includes(id))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("planning to bridge", () => {
  const seqs = (list: ShapeItem[], isHard = false) =>
    planBridging(list, SETTINGS, isHard).map((chunk) => chunk.seqs);
  const tail = ["u1", "a1"];

  it("takes a short run between leaves that are enough with it", () => {
    expect(seqs(items("S0", "u2", "a2", "S0", ...tail))).toEqual([[2, 3]]);
    expect(seqs(items("S0", "u2", "S0", "u2", "S0", "s1", "S0", "u2", "S0", ...tail))).toEqual([
      [2],
      [4],
      [8],
    ]);
  });

  it("leaves alone what lets nothing be condensed", () => {
    expect(seqs(items("u2", "S0", "S0", "u2", ...tail))).toEqual([]);
    expect(seqs(items("S1", "u2", "S0", "S0", ...tail))).toEqual([]);
    expect(seqs(items("S0", "u2", "s1", "S0", ...tail))).toEqual([]);
    const many = { ...SETTINGS, leafMinFanout: 4 };
    expect(planBridging(items("S0", "u2", "S0", ...tail), many, false)).toEqual([]);
    expect(planBridging(items("S0", "u2", "S0", ...tail), many, true)).toHaveLength(1);
  });
});

describe("planning to condense", () => {
  const ids = (chunk: Chunk | undefined) =>
    chunk?.kind === "condensed" ? [chunk.depth, ...chunk.ids] : undefined;
  const tail = ["u1", "a1"];

  it("takes neighbours of the shallowest depth that has enough", () => {
    const list = items("S1", "S1", "S0", "S0", "S0", ...tail);
    expect(ids(planCondensing(list, SETTINGS, false))).toEqual([1, "sum_2", "sum_3", "sum_4"]);
    expect(ids(planCondensing(items("S1", "S1", "S0", "S0", ...tail), SETTINGS, false))).toEqual([
      2,
      "sum_0",
      "sum_1",
    ]);
    expect(ids(planCondensing(items("S1", "S0", "S1", "S0", ...tail), SETTINGS, false))).toBeUndefined();
  });

  it("takes as many as the cap holds, but enough of them", () => {
    const list = items(...Array.from({ length: 9 }, () => "S0"), ...tail);
    expect(ids(planCondensing(list, { ...SETTINGS, leafChunkTokens: 50 }, false))).toHaveLength(1 + 5);
    expect(ids(planCondensing(list, { ...SETTINGS, leafChunkTokens: 10 }, false))).toHaveLength(1 + 3);
  });

  it("lifts a single summary to the depth of its neighbour, as the last thing", () => {
    const list = items("S1", "S0", "u5", "S0", ...tail);
    expect(planCondensing(list, SETTINGS, true)).toBeUndefined();
    expect(ids(planLifting(list, SETTINGS))).toEqual([1, "sum_1"]);
    expect(planLifting(items("S0", "u5", "S1", ...tail), SETTINGS)).toBeUndefined();
  });

  it("needs fewer when room is needed, and then takes truncations too", () => {
    const list = items("S0", "S0", ...tail);
    expect(planCondensing(list, SETTINGS, false)).toBeUndefined();
    expect(ids(planCondensing(list, SETTINGS, true))).toEqual([1, "sum_0", "sum_1"]);
    const cut = items("S0", "S0", "S0", ...tail).map((item) =>
      item.type === "summary" ? { ...item, quality: "fallback" as const } : item,
    );
    expect(planCondensing(cut, SETTINGS, false)).toBeUndefined();
    expect(planCondensing(cut, SETTINGS, true)).toBeDefined();
  });

  it("does not take more than fits into one summary's source", () => {
    const list = items(..."S0 S0 S0 S0 S0 S0".split(" "), ...tail);
    expect(ids(planCondensing(list, SETTINGS, false))).toEqual([1, "sum_0", "sum_1", "sum_2"]);
  });
});
