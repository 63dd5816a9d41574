import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WordMatcher } from "./matches.ts";
import { parseQuery } from "./parse-query.ts";

/** The marked text, exactly as written. */
function marked(text: string, query: string): string[] {
  const { text: shown, spans } = new WordMatcher(parseQuery(query)).matchesIn(text);
  expect(shown).toBe(text);
  return spans.map(({ start, end }) => shown.slice(start, end));
}

describe("matches of words", () => {
  it.each([
    ["the Runner runs", "running", ["runs"]],
    ["what about 数据库 again", "数据库", ["数据库"]],
    ["端口是五四三二", "五四三", ["五四三"]],
    ["텍스트 ภาษาไทย", "텍스트", ["텍스트"]],
    ["cafe\u0301 and café", "cafe", ["cafe\u0301", "café"]],
    ["か\u3099き", "が", ["か\u3099"]],
    ["\u1112\u1161\u11ab글", "한글", ["\u1112\u1161\u11ab글"]],
    ["\u212b x", "x", ["x"]],
    ["か\u3099\u0301a", "が \u0301a", ["か\u3099\u0301a"]],
  ])("in %j by %j are %j", (text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });

  it("never overlap, and stand in the text as it was said", () => {
    const text = fc.string({
      unit: fc.constantFrom(..."ab 数据库か\u3099e\u0301\u1112\u1161가👍"),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, (said) => {
        const { text: shown, spans } = new WordMatcher(parseQuery("a 数据 库 が é 하 b*")).matchesIn(said);
        expect(shown).toBe(said);
        let end = 0;
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(said.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
