import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";
import { inPieces, ValueBuilder, withMaps } from "../testing/value-builder.ts";
import { JsonScanner } from "./scan-json.ts";

function scan(text: string, size: number) {
  const values = new ValueBuilder();
  const scanner = new JsonScanner(values, false);
  for (const piece of inPieces(text, size)) scanner.write(piece);
  scanner.finish();
  return { values: values.roots, firstBreak: scanner.firstBreak };
}

describe("JSON", () => {
  it("is read as what it is, however it is cut and laid out", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(0, 2),
        (value, size, indent) => {
          const json: unknown = JSON.parse(JSON.stringify(value));
          const { values, firstBreak } = scan(JSON.stringify(json, null, indent), size);
          expect(firstBreak).toBeNull();
          expect(values).toEqual([withMaps(json)]);
        },
      ),
    );
  });

  it("is refused where the language refuses it", () => {
    const unit = fc.constantFrom(...'{}[],:"a1 ');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (text) => {
        fc.pre(isJson(text));
        expect(scan(text, 3).firstBreak).toBeNull();
      }),
    );
    for (const broken of [
      '{"a" 1}',
      '{"a":1 "b":2}',
      "[1 2]",
      "{a:1}",
      '{"a":}',
      "]",
      '{"a":tru}',
      "[1,,2]",
      '"open',
      "[[1]",
    ])
      expect(scan(broken, 2).firstBreak, broken).not.toBeNull();
  });

  it("is described by its keys, types, lists and how often keys are there", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      id: i,
      state: i % 2 ? "open" : "closed",
      at: "2024-01-02",
      ...(i < 5 ? { tags: ["x", "y"] } : {}),
    }));
    const { kind, text, complete } = await exploreText(
      JSON.stringify({ version: "1.2.0", rows, empty: [] }),
      { name: "a.txt", piece: 7 },
    );
    expect(kind).toBe("json");
    expect(complete).toBe(true);
    expect(text).toContain('version: "1.2.0"');
    expect(text).toContain("rows: array of 20 × object of 4 keys");
    expect(text).toContain("id: integer 0 – 19");
    expect(text).toContain("state: text, 2 distinct: closed | open");
    expect(text).toContain("at: date 2024-01-02");
    expect(text).toContain("tags (25%): array of 2 × text, 2 distinct: x | y");
    expect(text).toContain("empty: empty array");
  });

  it("calls an object with a key for each thing a map", async () => {
    const users = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`user${i}`, { age: i, city: "Bern" }]),
    );
    const { text } = await exploreText(JSON.stringify({ users }));
    expect(text).toMatch(/users: map of 500 keys .* to object \{age, city\}/);
  });

  it("says where it breaks and what stands before", async () => {
    const { text, complete, title } = await exploreText('{\n "a": 1,\n "b": [1, 2\n "c": 3\n}', {
      name: "a.json",
    });
    expect(title).toContain("Broken JSON");
    expect(title).toContain("breaks at line 4");
    expect(title).toContain("a comma or ] was expected");
    expect(text).toContain("a: integer 1");
    expect(complete).toBe(true);
  });

  it("may have comments and commas too many", async () => {
    const { title, text } = await exploreText('// settings\n{ "a": 1, /* two */ "b": [1, 2,], }', {
      name: "tsconfig.json",
    });
    expect(title).toContain("JSON with comments");
    expect(text).toContain("b: array of 2 × integer 1 – 2");
  });

  it("a line is read line by line, with broken lines counted", async () => {
    const lines = Array.from({ length: 50 }, (_, i) => JSON.stringify({ id: i, level: "info" }));
    lines[10] = '{"id": 10, "level": ';
    lines[20] = "not json";
    const { kind, title, text } = await exploreText(lines.join("\n"), { name: "app.log", piece: 11 });
    expect(kind).toBe("jsonl");
    expect(title).toContain("49 records");
    expect(title).toContain("2 broken lines, the first at line 11");
    expect(text).toContain("id: integer 0 – 49");
  });

  it("nested deeper than any stack is counted", async () => {
    const depth = 200_000;
    const { title } = await exploreText("[".repeat(depth) + "]".repeat(depth));
    expect(title).toContain("nested 200,000 levels deep");
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
