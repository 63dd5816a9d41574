import fc from "fast-check";
import { expect, it } from "vitest";
import { escapePattern } from "./escape-pattern.ts";

it("an escaped text finds itself and nothing else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
      expect(new RegExp(`^${escapePattern(text)}$`, "u").test(text)).toBe(true);
    }),
  );
  expect(new RegExp(escapePattern("a.b-c"), "u").test("axb-c")).toBe(false);
});
