import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter } from "../varints.ts";
import { trigramsOf } from "./trigrams.ts";
import { LONGEST_WORD, normalised, wordsOf } from "./words.ts";

const texts = (text: string) => wordsOf(text).map((word) => word.text);

describe("words", () => {
  it.each([
    ["Hello, World!", ["hello", "world"]],
    ["user_id src/a-b.ts 1.2", ["user", "id", "src", "a", "b", "ts", "1", "2"]],
    ["naïve CAFÉ co\u0301mo", ["naive", "cafe", "como"]],
    ["İstanbul ſecret ＡＢＣ ℌaus", ["istanbul", "secret", "abc", "haus"]],
    ["Straße STRASSE STRAẞE", ["strasse", "strasse", "strasse"]],
    ["ΟΔΟΣ οδός Οδόσ", ["οδοσ", "οδοσ", "οδοσ"]],
    ["数据库abc", ["数", "据", "库", "abc"]],
    ["か\u3099き", ["が", "き"]],
    ["👍🏽 ok", ["👍", "ok"]],
    ["!?… \ud800", []],
  ])("of %s are %j", (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it("say which characters without spaces between them are neighbours", () => {
    expect(wordsOf("数据 库x库").map(({ text, isGlued }) => text + (isGlued ? "~" : ""))).toEqual([
      "数",
      "据~",
      "库",
      "x",
      "库",
    ]);
  });

  it("are the characters themselves in scripts that folding does not change, and folded in all others", () => {
    const fold = (text: string) =>
      text
        .toLowerCase()
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]/g, "")
        .normalize("NFKC")
        .toLowerCase();
    for (let unit = 0x3040; unit <= 0xd7ff; unit++) {
      const character = String.fromCharCode(unit);
      const [word] = wordsOf(`${character}一`);
      if (word?.start === 0) expect([unit, word.text]).toEqual([unit, fold(normalised(character))]);
    }
  });

  it("are where they say, in order, and never too long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (original) => {
        const text = normalised(original);
        let end = 0;
        for (const word of wordsOf(original)) {
          expect(word.start).toBeGreaterThanOrEqual(end);
          expect(word.end).toBeGreaterThan(word.start);
          expect(texts(text.slice(word.start, word.end))).toContain(word.text);
          expect(word.text.length).toBeLessThanOrEqual(LONGEST_WORD);
          end = word.end;
        }
      }),
    );
  });
});

describe("trigrams", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."abKkſsSßẞσςΣİiIåÅÅ数 .\n👍é\ud800"),
    maxLength: 12,
  });

  it("of a text have those of whatever occurs in it, also in another case", () => {
    fc.assert(
      fc.property(letters, letters, letters, (before, part, after) => {
        const text = before + part + after;
        const all = new Set(trigramsOf(text));
        expect(trigramsOf(part).filter((trigram) => !all.has(trigram))).toEqual([]);
        const expression = RE2JS.compile(RE2JS.quote(part), RE2JS.CASE_INSENSITIVE);
        const other = before + part.toUpperCase() + after;
        if (!expression.test(other) || part.includes("\ud800")) return;
        const found = new Set(trigramsOf(other));
        expect(trigramsOf(part).filter((trigram) => !found.has(trigram))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("numbers in bytes", () => {
  it("come back as they were", () => {
    const number = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const writer = new ByteWriter(1);
        for (const one of numbers) {
          writer.signed(one);
          writer.varint(Math.abs(one));
        }
        const reader = new ByteReader(writer.copy());
        for (const one of numbers) {
          expect(reader.signed()).toBe(one === 0 ? 0 : one);
          expect(reader.varint()).toBe(Math.abs(one));
        }
        expect(reader.isDone).toBe(true);
      }),
    );
  });
});
