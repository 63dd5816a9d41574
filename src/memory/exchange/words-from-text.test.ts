import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsFromText } from "./words-from-text.ts";

describe("a text as words of a memory", () => {
  it.each([
    ["  A short line. And another. ", "A short line. And another.", ""],
    ["First line\nsecond line", "First line", "First line\nsecond line"],
    [`${"word ".repeat(100)}end`, `${"word ".repeat(60).trim()}…`, `${"word ".repeat(100)}end`],
    ["好".repeat(301), `${"好".repeat(300)}…`, "好".repeat(301)],
    [`x${"👍".repeat(200)}`, `x${"👍".repeat(149)}…`, `x${"👍".repeat(200)}`],
  ])("of %j is found by %j", (text, abstract, content) => {
    expect(wordsFromText(text)).toEqual({ abstract, overview: "", content });
  });

  it("is all there, and its line is never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 900 }), (text) => {
        fc.pre(text.trim() !== "");
        const { abstract, content } = wordsFromText(text);
        expect(content === "" ? abstract : content).toBe(text.trim());
        expect(abstract.trim()).not.toBe("");
        expect(abstract.length).toBeLessThanOrEqual(301);
      }),
    );
  });
});
