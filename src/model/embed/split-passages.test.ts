import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, type PassageOptions, PIECE, passagesOf } from "./split-passages.ts";

const ALL: PassageOptions = { mostPassages: Number.MAX_SAFE_INTEGER };

function piecesOf(text: string): number {
  let [cost, before] = [0, 0];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    cost += costOf(point, before);
    before = point;
  }
  return cost / PIECE;
}

const anyText = fc
  .array(
    fc.oneof(
      fc.lorem(),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom("\n", "\n\n", ". ", "。", " ", "漢字", "한국어", "🎉", "0a9f3c", "\ud83d"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));
const anyLimit = fc.integer({ min: 1, max: 80 });

describe("passages", () => {
  it("are the whole of a short text", () => {
    expect(passagesOf("Tea at five.")).toEqual({
      passages: [{ text: "Tea at five.", start: 0, end: 12 }],
      droppedFrom: null,
    });
  });

  it.each(["", " \n\t "])("are none of %j", (text) => {
    expect(passagesOf(text)).toEqual({ passages: [], droppedFrom: null });
  });

  it("leave out nothing but space, and stand where they say", () => {
    fc.assert(
      fc.property(anyText, anyLimit, (text, longestInput) => {
        const { passages, droppedFrom } = passagesOf(text, { ...ALL, longestInput });
        expect(droppedFrom).toBeNull();
        let covered = 0;
        for (const passage of passages) {
          expect(passage.text).toBe(text.slice(passage.start, passage.end));
          if (passage.start > covered) expect(text.slice(covered, passage.start).trim()).toBe("");
          expect(passage.end).toBeGreaterThan(covered);
          covered = passage.end;
        }
        expect(text.slice(covered).trim()).toBe("");
      }),
    );
  });

  it("are never cut inside a code point", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), anyLimit, (text, longestInput) => {
        for (const { start, end } of passagesOf(text, { ...ALL, longestInput }).passages)
          for (const cut of [start, end])
            expect(text.slice(cut - 1, cut + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
      }),
    );
  });

  it("keep to the limit, unless one character is beyond it", () => {
    fc.assert(
      fc.property(anyText, anyLimit, (text, longestInput) => {
        for (const { text: passage } of passagesOf(text, { ...ALL, longestInput }).passages)
          if ([...passage].length > 1) expect(piecesOf(passage)).toBeLessThanOrEqual(longestInput);
      }),
    );
  });

  it("end where sentences end, and begin with sentences of the last one", () => {
    const text = Array.from({ length: 60 }, (_, n) => `Sentence number ${n} says something.`).join(" ");
    const { passages } = passagesOf(text);
    expect(passages.length).toBeGreaterThan(1);
    for (const { text: passage } of passages) expect(passage).toMatch(/^Sentence number .*something\. ?$/s);
    for (const [place, { start }] of passages.entries())
      if (place > 0) expect(start).toBeLessThan(passages[place - 1]?.end ?? 0);
  });

  it("hold fewer characters of scripts that take more pieces", () => {
    const lengths = ["word ", "слово ", "漢字"].map(
      (word) => passagesOf(word.repeat(500)).passages[0]?.text.length ?? 0,
    );
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    expect(lengths[0]).toBeGreaterThan(3 * (lengths[2] ?? 0));
  });

  it("are 32 at most, and say from where on a text is dropped", () => {
    const { passages, droppedFrom } = passagesOf("All work and no play. ".repeat(2000));
    expect(passages).toHaveLength(32);
    expect(droppedFrom).toBe(passages.at(-1)?.end);
  });

  it("take a text of one endless word in linear time", { timeout: 60_000 }, () => {
    expect(passagesOf("x".repeat(1_000_000), ALL).passages.length).toBeGreaterThan(1000);
  });
});
