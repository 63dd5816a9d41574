/** Colours for code: nothing is lost, nothing takes long, and what people expect has its kind. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlight, type Kind } from "../../web/src/highlight.ts";

const LANGUAGES = [
  ...["ts", "py", "go", "rs", "java", "cs", "c", "swift", "php", "rb", "sh", "sql", "lua", "css", "json"],
  ...["yaml", "html"],
];

/** Of each kind, the pieces that have it. */
function piecesOf(code: string, language: string): Partial<Record<Kind, string[]>> {
  const found: Partial<Record<Kind, string[]>> = {};
  for (const [kind, text] of highlight(code, language) ?? [])
    if (kind !== null) found[kind] = [...(found[kind] ?? []), text];
  return found;
}

describe("the colours of code", () => {
  it("change nothing of what is written, in any language", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(..."\"'`#/*-<>=\\\n :!$[]abc0._"), maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...LANGUAGES), (code, language) => {
        const pieces = highlight(code, language) ?? [];
        expect(pieces.map(([, piece]) => piece).join("")).toBe(code);
        expect(pieces.every(([, piece]) => piece !== "")).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(LANGUAGES)("take no longer for hostile code in %s", (language) => {
    const units = [
      '"',
      "'",
      "`",
      "-",
      "/*",
      "<a",
      "<a b=",
      " ",
      "a ",
      "a:",
      "\t",
      '"""',
      "#",
      "\\",
      "--",
      "$a(",
    ];
    for (const unit of units) {
      const start = performance.now();
      highlight(unit.repeat(60_000 / unit.length), language);
      expect({ unit, isSlow: performance.now() - start > 500 }).toEqual({ unit, isSlow: false });
    }
  });

  it("know comments, texts, numbers, keywords and names", () => {
    expect(piecesOf('const port = 8_080; // the "old" one\nstart(`on {port}`);', "ts")).toEqual({
      keyword: ["const"],
      number: ["8_080"],
      comment: ['// the "old" one'],
      name: ["start"],
      string: ["`on {port}`"],
    });
    expect(piecesOf('def run(x):\n    """Two\n    lines."""\n    return None  # done', "py")).toEqual({
      keyword: ["def", "return", "None"],
      name: ["run"],
      string: ['"""Two\n    lines."""'],
      comment: ["# done"],
    });
    expect(piecesOf("select 'it''s' from t -- all", "SQL")).toEqual({
      keyword: ["select", "from"],
      string: ["'it''s'"],
      comment: ["-- all"],
    });
    expect(piecesOf('{"port": 80, "on": true}', "json")).toEqual({
      name: ['"port"', '"on"'],
      number: ["80"],
      keyword: ["true"],
    });
    expect(piecesOf("# top\nport: 80\nname: 'x'", "yaml")).toEqual({
      comment: ["# top"],
      name: ["port", "name"],
      number: ["80"],
      string: ["'x'"],
    });
    expect(piecesOf('<a href="x">don\'t</a><!-- no -->', "html")).toEqual({
      keyword: ["<a", ">", "</a", ">"],
      name: ["href"],
      string: ['"x"'],
      comment: ["<!-- no -->"],
    });
    expect(piecesOf("/* a\nb */ .box { color: red }", "css")).toEqual({
      comment: ["/* a\nb */"],
      name: [".box", "color"],
    });
  });

  it("leave a language alone that they do not know", () => {
    expect(highlight("some text", "")).toBeNull();
    expect(highlight("some text", "klingon")).toBeNull();
  });
});
