import { describe, expect, it } from "vitest";
import { ORDINAL_GAP } from "../store.ts";
import { type PlacedSummary, windowItems } from "./window-items.ts";

/** Ids of the result, in order: `m2` a message, `s` with its ordinal a summary. Items that are not in `gone` are held. */
function order(seqs: readonly number[], ordinals: readonly number[], gone: readonly string[] = []): string[] {
  const summaries = ordinals.map((ordinal): PlacedSummary => [ordinal, `s${ordinal}`]);
  const items = windowItems(seqs, summaries, {
    isStub: (seq) => seq === 2,
    message: (seq) => (gone.includes(`m${seq}`) ? undefined : null),
    summary: (id) => (gone.includes(id) ? undefined : null),
  });
  return items.map((item) => (item.type === "message" ? `m${item.seq}` : item.id));
}

const gap = ORDINAL_GAP;

describe("the items of a window", () => {
  it("puts summaries between the messages by their ordinals", () => {
    expect(order([2, 4], [gap, 2 * gap + 1, 3 * gap, 5 * gap])).toEqual([
      `s${gap}`,
      "m2",
      `s${2 * gap + 1}`,
      `s${3 * gap}`,
      "m4",
      `s${5 * gap}`,
    ]);
    expect(order([], [gap, 2 * gap])).toEqual([`s${gap}`, `s${2 * gap}`]);
    expect(order([1, 2], [])).toEqual(["m1", "m2"]);
    expect(order([1, 2, 3], [2 * gap - 1])).toEqual(["m1", `s${2 * gap - 1}`, "m2", "m3"]);
  });

  it("puts a summary on the ordinal of a message after it", () => {
    expect(order([2, 3], [2 * gap])).toEqual(["m2", `s${2 * gap}`, "m3"]);
  });

  it("leaves out what has no content any more", () => {
    expect(order([1, 2, 4], [3 * gap, 5 * gap], ["m1", `s${3 * gap}`])).toEqual(["m2", "m4", `s${5 * gap}`]);
  });

  it("says of each where it stands, and which messages are stubs", () => {
    const contents = { isStub: (seq: number) => seq === 2, message: () => null, summary: () => null };
    expect(windowItems([1, 2], [[gap + 7, "sum_a"]], contents)).toEqual([
      { ordinal: gap, type: "message", seq: 1, isStub: false, message: null },
      { ordinal: gap + 7, type: "summary", id: "sum_a", summary: null },
      { ordinal: 2 * gap, type: "message", seq: 2, isStub: true, message: null },
    ]);
  });
});
