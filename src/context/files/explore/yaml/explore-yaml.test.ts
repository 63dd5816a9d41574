import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { exploreText } from "../testing/explore-text.ts";
import { ValueBuilder, withMaps } from "../testing/value-builder.ts";
import { YamlScanner } from "./scan-yaml.ts";

function scan(text: string): unknown[] {
  const values = new ValueBuilder();
  const scanner = new YamlScanner(values);
  for (const line of text.split("\n")) scanner.line(line);
  scanner.finish();
  return values.roots;
}

const word = fc
  .string({ unit: fc.constantFrom(..."abcdefg_"), minLength: 1, maxLength: 8 })
  .filter((text) => !/^(?:no|yes|n|y|a|f|e)$/i.test(text));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: -999, max: 999 }),
    word,
    fc.boolean(),
    tie("list"),
    tie("map"),
  ),
  list: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }),
  map: fc.dictionary(word, tie("tree"), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
}));
const document = fc.dictionary(word, tree, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

describe("YAML", () => {
  it("has the structure that a full parser finds", () => {
    const layouts = fc.record({
      indent: fc.constantFrom(2, 4),
      indentSeq: fc.boolean(),
      collectionStyle: fc.constantFrom("any", "flow"),
      lineWidth: fc.constantFrom(40, 0),
    });
    fc.assert(
      fc.property(document, layouts, (value, { collectionStyle, ...layout }) => {
        const text = stringify(value, {
          ...layout,
          collectionStyle: collectionStyle === "flow" ? "flow" : "any",
        });
        expect(withMaps(parse(text))).toEqual(withMaps(value));
        expect(scan(text)).toEqual([withMaps(value)]);
      }),
    );
  });

  it.each([
    ["a: 'it''s: # no comment'\nb: \"x: {y}\" # comment\n", { a: "it''s: # no comment", b: "x: {y}" }],
    ["a: |\n  text: none\n  - none\nb: 1\n", { a: "text: none - none", b: 1 }],
    ["a:\n- x\n- y: 1\n  z: 2\nb:\n  - - 1\n    - 2\n", { a: ["x", { y: 1, z: 2 }], b: [[1, 2]] }],
    [
      "a: &anchor\n  b: 1\nc: !!map\n  d: ~\ne:\nf: plain\n  goes on\n",
      { a: { b: 1 }, c: { d: null }, e: null, f: "plain goes on" },
    ],
    ["# comment\na: {b: [1, two], c: {}}\nd: [x,\n  y]\n", { a: { b: [1, "two"], c: {} }, d: ["x", "y"] }],
    ["http://x: 1\n'q: r': 2\n", { "http://x": 1, "q: r": 2 }],
  ])("is read in %j", (text, value) => {
    expect(scan(text)).toEqual([withMaps(value)]);
  });

  it("is described like JSON of the same structure, document by document", async () => {
    const service = (i: number) => `kind: Service\nname: web\nports:\n  - port: ${i}\n    protocol: tcp\n`;
    const { kind, text } = await exploreText([1, 2, 3].map(service).join("---\n"), { name: "all.yml" });
    expect(kind).toBe("yaml");
    expect(text).toContain("3 documents");
    expect(text).toContain('kind: "Service"');
    expect(text).toContain("ports: array of 1 × object {port, protocol}");
  });

  it("takes a list that is never closed for one text", async () => {
    const { text } = await exploreText(`a: 1\nb: [${"1,\n".repeat(60_000)}`, { name: "a.yaml" });
    expect(text).toContain("a: integer 1");
  });
});
