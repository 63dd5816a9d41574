import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { plainPattern } from "./plain-pattern.ts";

/** All matches of a pattern by the engine with guaranteed linear time. */
function expected(source: string, text: string): string[] {
  const matcher = RE2JS.compile(source, RE2JS.MULTILINE).matcher(text);
  const found: string[] = [];
  for (
    let from = 0;
    from <= text.length && matcher.find(from);
    from = Math.max(matcher.end(), matcher.start() + 1)
  )
    found.push(`${matcher.start()}-${matcher.end()}`);
  return found;
}

function found(source: string, text: string): string[] | undefined {
  const pattern = plainPattern(source);
  if (pattern === undefined || !pattern.suits(text)) return undefined;
  const spans: string[] = [];
  for (let from = 0; ; ) {
    const span = pattern.find(text, from);
    if (span === null) return spans;
    spans.push(`${span.start}-${span.end}`);
    from = span.end;
  }
}

describe("a plain pattern", () => {
  it.each([
    ["throw new Error", "throw new Error; throw new Errors"],
    ["src/\\w+/\\w+\\.ts:\\d+", "at src/a/b_1.ts:12 and src/x/y.ts: and src/é/y.ts:1"],
    ["took=\\d{4}ms", "took=1234ms took=12345ms took=123ms"],
    ["\\d{1,3}\\.\\d{1,3}", "1234.5678 1.2.3"],
    ["[^,\\n]+,", "a b,c\nd,,e"],
    ["colou?r", "color colour colouur"],
    ["[A-Z][a-z_-]*\\s", "Ab-c\u00a0Ab_ D\n"],
    [".x", "\r\u2028x ax \nx 😀x"],
    ["[é-ü]{2}😀", "éü😀 é😀x"],
    ["\\tx\\.y", "\tx.y x\\.y"],
  ])("%s finds what RE2 finds", (source, text) => {
    const spans = expected(source, text);
    expect(spans.length).toBeGreaterThan(0);
    expect(found(source, text)).toEqual(spans);
  });

  it("finds the same as RE2 in any text, for any pattern that it takes", () => {
    const atom = fc.constantFrom(
      ..."ab1-é😀 ",
      ".",
      "\\d",
      "\\w",
      "\\s",
      "\\.",
      "\\n",
      "[ab]",
      "[^a\\d]",
      "[a-f_-]",
    );
    const times = fc.constantFrom("", "", "+", "*", "?", "{2}", "{1,3}", "{2,}");
    const source = fc.array(fc.tuple(atom, times), { minLength: 1, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom(..."ab1.-é😀 \n\r_cz\u2028"), maxLength: 60 });
    let taken = 0;
    fc.assert(
      fc.property(source, text, (parts, within) => {
        const pattern = parts.map((part) => part.join("")).join("");
        const spans = found(pattern, within);
        if (spans === undefined) return;
        taken++;
        expect(spans).toEqual(expected(pattern, within));
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it.each([
    "(a+)+",
    "\\w+\\w",
    "a*",
    "x.*y",
    "a|b",
    "^a",
    "a$",
    "\\bword",
    "(?i)a",
    "a+?",
    "[[:alpha:]]",
    "\\pL",
    "\\s+x",
  ])("%s is left to RE2", (source) => expect(plainPattern(source)).toBeUndefined());

  it("leaves long lines to RE2 where a repetition could run along them", () => {
    const line = "a".repeat(1_001);
    expect(plainPattern("a+b")?.suits(`${line}\n`)).toBe(false);
    expect(plainPattern("a+b")?.suits(`${line.slice(1)}\n${line.slice(1)}`)).toBe(true);
    expect(plainPattern("a{1,3}b")?.suits(line)).toBe(true);
  });
});
