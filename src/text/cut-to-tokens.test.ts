import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToTokens } from "./cut-to-tokens.ts";
import { estimateTokens } from "./estimate-tokens.ts";

describe("cutting to tokens", () => {
  it("keeps a text that fits", () => {
    expect(cutToTokens("four words fit here", 5, estimateTokens)).toBe("four words fit here");
  });

  it("ends at a line, else at a word", () => {
    expect(cutToTokens(`${"a line of it\n".repeat(9)}`, 20, estimateTokens)).toMatch(/of it$/);
    expect(cutToTokens("several words ".repeat(9), 20, estimateTokens)).toMatch(/(words|several)$/);
  });

  it("gives a beginning that fits, without half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (text, tokens) => {
        const cut = cutToTokens(text, tokens, estimateTokens);
        expect(text.startsWith(cut)).toBe(true);
        expect(estimateTokens(cut)).toBeLessThanOrEqual(tokens);
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
      }),
    );
  });
});
