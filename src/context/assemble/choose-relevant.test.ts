import { describe, expect, it } from "vitest";
import { bestUnits, chooseRelevant, unitsOf } from "./choose-relevant.ts";
import type { Entry } from "./entry.ts";
import { sampleEntry } from "./testing/sample-entries.ts";

const entries = (...sizes: number[]) => sizes.map((tokens, index) => sampleEntry(index + 1, tokens));
const shown = (list: readonly Entry[], scores: Record<string, number>, room: number) =>
  chooseRelevant(list, new Map(Object.entries(scores)), room).map(({ id, reason }) =>
    reason === "matches the prompt" ? `${id}!` : id,
  );

describe("what is shown of older items", () => {
  it("is the best match and the newest, in the order in which they were said", () => {
    // Of 100 tokens, 40 are for the newest: 7 and 8. The rest holds three more.
    const list = entries(20, 20, 20, 20, 20, 20, 20, 20);
    expect(shown(list, { m2: 1 }, 100)).toEqual(["m2!", "m5", "m6", "m7", "m8"]);
    expect(shown(list, { m1: 1, m3: 5, m4: 3, m5: 2 }, 100)).toEqual(["m3!", "m4!", "m5!", "m7", "m8"]);
    expect(shown(list, {}, 100)).toEqual(["m4", "m5", "m6", "m7", "m8"]);
    // What is shown anyway takes no room of the matches, and a match none of the newest.
    expect(shown(list, { m3: 3, m4: 2, m5: 1, m8: 9 }, 100)).toEqual(["m3!", "m4!", "m5!", "m7", "m8"]);
    expect(shown(list, { m6: 1 }, 100)).toEqual(["m4", "m5", "m6!", "m7", "m8"]);
  });

  it("takes of equal matches the newest", () => {
    const list = entries(30, 30, 30, 20, 20);
    expect(shown(list, { m1: 1, m2: 1, m3: 1 }, 100)).toEqual(["m2!", "m3!", "m4", "m5"]);
  });

  it("goes past a match that does not fit, and takes one that fits exactly", () => {
    const list = entries(70, 60, 20, 20);
    expect(shown(list, { m1: 9, m2: 1 }, 100)).toEqual(["m2!", "m3", "m4"]);
    expect(shown(entries(70, 65, 20, 20), { m1: 9, m2: 1 }, 100)).toEqual(["m3", "m4"]);
  });

  it("fills what is left with the newest without a gap", () => {
    // 60 are left after the newest, 40 after the match: m4 fits, m3 does not, and nothing before it is taken.
    expect(shown(entries(20, 10, 30, 20, 20, 20), { m1: 1 }, 100)).toEqual(["m1!", "m4", "m5", "m6"]);
    expect(shown(entries(20, 10, 20, 20, 20, 20), { m1: 1 }, 100)).toEqual(["m1!", "m3", "m4", "m5", "m6"]);
  });

  it("keeps tool pairs whole, with what stands between", () => {
    const list = entries(10, 10, 10, 20, 20, 20);
    list[0] = sampleEntry(1, 10, { toolCalls: ["c"] });
    list[2] = sampleEntry(3, 10, { toolResults: ["c"] });
    expect(shown(list, { m3: 1 }, 100)).toEqual(["m1!", "m2!", "m3!", "m4", "m5", "m6"]);
    expect(shown(list, { m3: 1 }, 69)).toEqual(["m1!", "m2!", "m3!", "m6"]);
    expect(shown(list, { m3: 1 }, 49)).toEqual(["m5", "m6"]);
  });

  it("never says of a system message that it matches", () => {
    const list = [
      sampleEntry(1, 20, { role: "system", reason: "system message" }),
      ...entries(20, 20).slice(1),
    ];
    expect(shown(list, { m1: 1 }, 60)).toEqual(["m1", "m2"]);
  });
});

describe("units", () => {
  const item = (name: string, toolCalls: string[] = [], toolResults: string[] = []) => ({
    name,
    toolCalls,
    toolResults,
  });
  const names = (units: readonly (readonly { name: string }[])[]) =>
    units.map((unit) => unit.map(({ name }) => name).join(""));

  it("are items by themselves, and whole pairs with what is between", () => {
    expect(names(unitsOf([item("a"), item("b", ["1"]), item("c"), item("d", [], ["1"]), item("e")]))).toEqual(
      ["a", "bcd", "e"],
    );
    expect(unitsOf([])).toEqual([]);
  });

  it("join pairs that overlap, and not ones side by side", () => {
    const overlapping = [
      item("a", ["1"]),
      item("b", ["2"]),
      item("c", [], ["1"]),
      item("d", [], ["2"]),
      item("e"),
    ];
    expect(names(unitsOf(overlapping))).toEqual(["abcd", "e"]);
    const beside = [item("a", ["1"]), item("b", [], ["1"]), item("c", ["2"]), item("d", [], ["2"])];
    expect(names(unitsOf(beside))).toEqual(["ab", "cd"]);
    const inside = [item("a", ["1"]), item("b", ["2"]), item("c", [], ["2"]), item("d", [], ["1"])];
    expect(names(unitsOf(inside))).toEqual(["abcd"]);
  });

  it("are ranked by the best of their items, the newest first of equal ones, without those that match nothing", () => {
    const list = [item("a"), item("b", ["1"]), item("c", [], ["1"]), item("d"), item("e")];
    const scores: Record<string, number> = { a: 1, b: 0, c: 3, d: 1, e: 0 };
    expect(names(bestUnits(list, ({ name }) => scores[name] ?? 0))).toEqual(["bc", "d", "a"]);
  });
});
