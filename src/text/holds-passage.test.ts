import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsPassage } from "./holds-passage.ts";
import { collapseSpaces } from "./spaces.ts";

const written = fc
  .array(
    fc.constantFrom(
      ..."ab",
      "ab",
      "aba",
      " ",
      "  ",
      "\n",
      "\t ",
      "\u00a0",
      "\u2003",
      "\u3000",
      "\u1680",
      "\u2028",
      "\u2029",
      "\u202f",
      "\u205f",
      "\ufeff",
      "\u200b",
      "é",
      "中",
    ),
  )
  .map((pieces) => pieces.join(""));

describe("a passage", () => {
  it("is found where it stands in the text with its runs of white space collapsed", () => {
    const cut = fc.tuple(written, written, fc.nat(40), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(cut, ([text, other, start, length]) => {
        const whole = collapseSpaces(text).trim();
        for (const from of [whole, collapseSpaces(other).trim()]) {
          const passage = from.slice(start, start + length);
          if (passage.trim() !== "") expect(holdsPassage(text.trim(), passage)).toBe(whole.includes(passage));
        }
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("collapsing spaces", () => {
  it("makes one space of each run of white space", () => {
    fc.assert(
      fc.property(fc.oneof(written, fc.string({ unit: "binary" })), (text) => {
        expect(collapseSpaces(text)).toBe(text.replace(/\s+/g, " "));
      }),
      { numRuns: 5_000 },
    );
  });
});
