import { describe, expect, it } from "vitest";
import { gistKey, gistOf } from "./gist.ts";

describe("the gist of a line", () => {
  it.each([
    ["Prefers tea.", "prefers the TEA!"],
    ["Prefers tea", "preferring teas"],
    ["Ｐｒｅｆｅｒｓ tea", "prefers tea"],
    ["住在柏林。", "住在柏林"],
    ["Straße 5", "STRASSE 5"],
  ])("is the same of %j and %j", (a, b) => {
    expect(gistOf(a)).toBe(gistOf(b));
    expect(gistKey(a)).toEqual(gistKey(b));
  });

  it.each([
    ["Prefers tea", "Does not prefer tea"],
    ["Prefers tea", "Doesn't prefer tea"],
    ["Anna told Ben", "Ben told Anna"],
    ["Pays 5 euros", "Pays 6 euros"],
    ["住在柏林", "住在慕尼黑"],
  ])("tells %j from %j", (a, b) => {
    expect(gistOf(a)).not.toBe(gistOf(b));
    expect(gistKey(a)).not.toEqual(gistKey(b));
  });
});
