import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";
import { inPieces } from "../testing/value-builder.ts";
import { XmlScanner } from "./scan-xml.ts";

function scan(text: string, size: number): string[] {
  const events: string[] = [];
  const scanner = new XmlScanner({
    openTag: (inside, isEmpty) => events.push(`<${inside.trim()}${isEmpty ? "/" : ""}>`),
    closeTag: (name) => events.push(`</${name}>`),
    text: (found) => events.push(found),
  });
  for (const piece of inPieces(text, size)) scanner.write(piece);
  scanner.finish();
  return events;
}

describe("XML", () => {
  it("is read alike however it is cut", () => {
    const piece = fc.constantFrom(
      ..."<a>|</a>|<b c='>'>|<d/>|<!-- <x> -->|<![CDATA[ <y> ]]>|<?p >?>|text|&amp;| < |\n|<!DOCTYPE z [<!ENTITY e \"x\">]>".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 1, max: 12 }), (pieces, size) => {
        const text = pieces.join("");
        expect(scan(text, size)).toEqual(scan(text, Math.max(1, text.length)));
      }),
    );
  });

  it("leaves comments, instructions and declarations out", () => {
    expect(
      scan(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "<c>">]><a d=">"><!-- <e> -->f<g/></a>`, 5),
    ).toEqual(['<a d=">">', "f", "<g/>", "</a>"]);
  });

  it("is described by elements with counts, attributes, text, depth and namespaces", async () => {
    const items = Array.from(
      { length: 12 },
      (_, i) => `<item id="${i}" state="${i % 2 ? "open" : "done"}"><price>${i}.5</price></item>`,
    );
    const { kind, text } = await exploreText(
      `<?xml version="1.0"?>\n<shop xmlns="http://example.com/shop">${items.join("\n")}</shop>`,
      { piece: 9 },
    );
    expect(kind).toBe("xml");
    expect(text).toContain("25 elements, nested 3 levels deep");
    expect(text).toContain(
      "shop\n  item ×12 [id: integer 0 – 11; state: done | open]\n    price ×12: number 0.5 – 11.5",
    );
    expect(text).toContain("default = http://example.com/shop");
  });

  it("describes lists in lists once", async () => {
    const { text } = await exploreText(
      `<?xml version="1.0"?><list>${"<list><entry/>".repeat(500)}${"</list>".repeat(501)}`,
    );
    expect(text).toContain("list ×501");
    expect(text).toContain("entry ×500");
    expect(text).toContain("nested 502 levels deep");
  });

  it("may be HTML with elements that have no end", async () => {
    const { title, text } = await exploreText(
      "<!DOCTYPE html><html><body><p>a<br>b<img src='x'></p><script>if (a < b) {}</script><p>c</p></body></html>",
    );
    expect(title).toContain("HTML");
    expect(text).toContain("p ×2");
    expect(text).toContain("script");
  });

  it("says what is left open", async () => {
    expect((await exploreText("<?xml version='1.0'?><a><b><c>")).title).toContain("3 left open at the end");
    expect((await exploreText("<?xml version='1.0'?><a><b d='")).title).toContain("ends inside a tag");
  });
});
